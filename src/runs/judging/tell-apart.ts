import type { Served } from '../../capture/served/served.ts';

/** Facts that may also differ between two names of one server. */
const NO_SIGN = new Set(['addresses']);

const hasCommonAddress = (one: Served, other: Served) => {
  const known = new Set((one['addresses'] ?? '').split(', '));
  return (other['addresses'] ?? '').split(', ').some((address) => address !== '' && known.has(address));
};

/**
 * Both have the fact, or it is a header that only one of them has. Facts that change from load to load prove nothing.
 */
function differsIn(name: string, one: Served, other: Served): boolean {
  const [said, otherwise] = [one[name], other[name]];
  if (said === null || otherwise === null || said === otherwise) return false;
  return name.startsWith('header ') || (said !== undefined && otherwise !== undefined);
}

/** What a server delivers, without what it says about itself. */
const CONTENT = ['document', 'assets'];

/**
 * Whether the responses of two servers for the same page show that they are different. Names, addresses and chance
 * prove nothing. At one address, what they say about themselves proves nothing either, only what they deliver.
 */
export function tellApart(one: Served | null, other: Served | null): boolean {
  if (one === null || other === null) return false;
  if (hasCommonAddress(one, other)) return CONTENT.some((name) => differsIn(name, one, other));
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].some((name) => !NO_SIGN.has(name) && differsIn(name, one, other));
}
