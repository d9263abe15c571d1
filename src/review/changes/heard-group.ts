/** One difference in what assistive technology is told, over all pages and viewports of a run. */
export type HeardGroup = {
  key: string;
  /** Role and name: `button “Search”`. */
  element: string;
  /** What happened to it, in words that follow its name: `lost its name`. */
  summary: string;
  before: string | null;
  after: string | null;
  /** It needs a review. Otherwise it is only shown. */
  holds: boolean;
  paths: string[];
  viewports: string[];
  /** How many results have it, and the first of them. */
  count: number;
  resultId: string;
};

/** The position of a group in its run. `place`: the position of its first result. */
export type HeardPlace = { count: number; place: number; key: string };
