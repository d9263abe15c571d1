import type { Area, ChangeKind } from '../../elements/page-change.ts';

/** One side of a change, as it can be cut out of a stored image. */
export type Crop = { changeId: string; file: string; box: Area };

/** The changes of a run that have one cause, over all pages and viewports. */
export type ChangeGroup = {
  /** The key of its changes. */
  key: string;
  kind: ChangeKind;
  element: string;
  summary: string;
  before: string | null;
  after: string | null;
  paths: string[];
  viewports: string[];
  /** How many results have it. */
  count: number;
  /** How many of these still wait for an approval of it. */
  pending: number;
  faint: boolean;
  /** The suite's own site has changed in the same way, wherever it occurs. */
  drift: boolean;
  /** Of its first occurrence. */
  beforeCrop: Crop | null;
  afterCrop: Crop | null;
};

/** A result in which a group's change occurs. */
export type Occurrence = { key: string; resultId: string; path: string; viewport: string; approved: boolean };

/** Where a group stands in its run. `place`: the position of its first result. */
export type ChangePlace = { drift: boolean; faint: boolean; count: number; place: number; key: string };

/** From the first one unless it says otherwise. */
export type PartOfChanges = { limit: number; after?: ChangePlace | null; offset?: number };
