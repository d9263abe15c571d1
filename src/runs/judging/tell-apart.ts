import type { Served } from '../../capture/served.ts';

/** What differs between two names of one server as well. */
const NO_SIGN = new Set(['addresses']);

const hasCommonAddress = (one: Served, other: Served) => {
  const known = new Set((one['addresses'] ?? '').split(', '));
  return (other['addresses'] ?? '').split(', ').some((address) => address !== '' && known.has(address));
};

/** Both say it, or it is a header that only one of them has. What changes from load to load is no sign. */
function differsIn(name: string, one: Served, other: Served): boolean {
  const [said, otherwise] = [one[name], other[name]];
  if (said === null || otherwise === null || said === otherwise) return false;
  return name.startsWith('header ') || (said !== undefined && otherwise !== undefined);
}

/** What a server gives, whatever it says of itself. */
const CONTENT = ['document', 'assets'];

/**
 * Whether what two servers gave for the same page shows that they are not the same one. Names, addresses and chance prove
 * nothing. At one address, what they say of themselves proves nothing either: only what they give does.
 */
export function tellApart(one: Served | null, other: Served | null): boolean {
  if (one === null || other === null) return false;
  if (hasCommonAddress(one, other)) return CONTENT.some((name) => differsIn(name, one, other));
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => !NO_SIGN.has(name) && differsIn(name, one, other));
}
