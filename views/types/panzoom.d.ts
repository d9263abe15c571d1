// Served as `panzoom.js` beside the scripts. The package's own types leave out the event that caused a change.
import type { CurrentValues, PanzoomObject as Documented, PanzoomGlobalOptions } from '@panzoom/panzoom';

export type PanzoomObject = Omit<Documented, 'zoomToPoint'> & {
  zoomToPoint(scale: number, point: MouseEvent, options: { animate: boolean }, originalEvent: MouseEvent): void;
};

type Options = Omit<PanzoomGlobalOptions, 'setTransform'> & {
  /** `originalEvent` is absent when our own code asked for the change. */
  setTransform(element: Element, values: CurrentValues & { originalEvent?: MouseEvent }): void;
};

export default function Panzoom(element: HTMLElement, options: Options): PanzoomObject;
