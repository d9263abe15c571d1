/**
 * A part of a page as assistive technology is told about it: what it is, what it is called, and its state. Hidden parts
 * are left out, and what is in them belongs to the part around them.
 */
export type HeardNode = {
  role: string;
  name: string;
  /** By name, in alphabetical order: `description`, `value`, `checked`, `level`. */
  states: Record<string, string>;
  children: HeardNode[];
  /** A rule of the suite masks or ignores it, with all that is in it. */
  isLeftOut: boolean;
};

/**
 * What is known of one screenshot: the tree of each load of the page that was looked at. A difference only counts if
 * all of them show it, so that a clock that no one sees makes no false alarm.
 */
export type Heard = { loads: HeardNode[] };
