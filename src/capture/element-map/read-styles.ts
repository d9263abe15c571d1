import { collectStyles, SET_NAMES, type ElementStyles } from '../../elements/element-styles.ts';
import { signAddresses } from '../../elements/picture.ts';

const places = new Map<string, number>(SET_NAMES.map((name, place) => [name, place]));

/**
 * Styles in the form of maps: specified values if they were read, and hashes of images. Equal arguments return the same
 * object. `hashOf` returns null if a hash is unknown.
 */
export function createStyleWriter(
  hashOf: (url: string) => string | null,
): (styles: ElementStyles, set: readonly string[] | null) => ElementStyles {
  const known = new Map<ElementStyles, Map<readonly string[] | null, ElementStyles>>();
  return (styles, set) => {
    const bySet = known.get(styles) ?? new Map<readonly string[] | null, ElementStyles>();
    known.set(styles, bySet);
    const written =
      bySet.get(set) ??
      collectStyles((name) => {
        const value = set?.[places.get(name) ?? -1] ?? styles[name];
        return value.includes('url(') ? signAddresses(value, hashOf) : value;
      });
    bySet.set(set, written);
    return written;
  };
}
