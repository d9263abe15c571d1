import type { Region } from './region.ts';

export const CHANGE_KINDS = [
  'ADDED',
  'REMOVED',
  'MOVED',
  'RESIZED',
  'RESTYLED',
  'TEXT',
  'IMAGE',
  'PIXELS',
  'ACCESSIBILITY',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What happened to an element, as far as it shows: it explains some of the differences between two screenshots. */
export type PageChange = {
  /** Identifies this change on every page, at every viewport and place. 32 hexadecimal digits. */
  key: string;
  kind: ChangeKind;
  /** A short CSS selector; '' when there is no element map. For ACCESSIBILITY: role and name. */
  element: string;
  /** What happened to the element, in words that follow its name: `background #1a7f37 → #0969da`. */
  summary: string;
  before: string | null;
  after: string | null;
  baselineBox: Region | null;
  currentBox: Region | null;
  /** Around all differences that it caused. */
  canvasBox: Region;
  /** Also on the canvas: around the differences that it shows itself, without consequences elsewhere. */
  shownBox: Region;
  /** A person would hardly see any of its differences. */
  faint: boolean;
  /** A hash of what it shows, which may differ on another page. 32 hexadecimal digits. */
  picture: string;
};
