/** Separates a group's key from a variant's id. Neither has one. */
const SEPARATOR = ':';

/** A variant in a form. */
export const toVariantValue = (key: string, variantId: string): string => `${key}${SEPARATOR}${variantId}`;

/** The ids of the variants of this group among the values of a form. */
export const variantsOfKey = (values: string[], key: string): string[] =>
  values.flatMap((value) => (value.startsWith(key + SEPARATOR) ? [value.slice(key.length + SEPARATOR.length)] : []));
