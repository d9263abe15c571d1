/** What happened to a part of the page that assistive technology is told about. */
export type HeardDifference = {
  /** The same for the same difference on another page. 32 hexadecimal digits. */
  key: string;
  /** `button “Search”`, `text “3 results”`. */
  part: string;
  /** What happened to it, in words that follow its name: `lost its name`. */
  what: string;
  before: string | null;
  after: string | null;
  /** The role and name of the part in each tree, by which it is found on the page. Null where it is not there. */
  was: NamedPart | null;
  is: NamedPart | null;
};

export type NamedPart = { role: string; name: string };
