/** What became of a part of the page that assistive technology is told of. */
export type HeardDifference = {
  /** The same for the same difference on another page. 32 hexadecimal digits. */
  key: string;
  /** `button “Search”`, `text “3 results”`. */
  part: string;
  /** What happened to it, in words that go after: `lost its name`. */
  what: string;
  before: string | null;
  after: string | null;
  /** The role and name of the part in each tree, by which it is found on the page. Null where it is not there. */
  was: NamedPart | null;
  is: NamedPart | null;
};

export type NamedPart = { role: string; name: string };
