import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { ElementMap, MappedElement } from './element-map.ts';
import { collectStyles, STYLE_NAMES, type ElementStyles } from './element-styles.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A longer one is damaged: captures keep what they store below 1 MiB. */
const MAX_DECODED = 16 * 1024 * 1024;

/** Higher levels save little and take much longer. */
const QUALITY = 5;

const params = {
  [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
};

/** A few KiB for what is known of a usual page. Equal values have equal bytes. */
export const packJson = async (value: unknown): Promise<Buffer> => compress(JSON.stringify(value), { params });

/** @throws Error that says that `what` cannot be read */
export async function unpackJson<T>(bytes: Buffer, what: string, read: (json: unknown) => T): Promise<T> {
  try {
    const json = await decompress(bytes, { maxOutputLength: MAX_DECODED });
    return read(JSON.parse(json.toString('utf8')));
  } catch (cause) {
    throw new Error(`The ${what} cannot be read`, { cause });
  }
}

const numbers = z.array(z.number());

/** A column for each field, and each text once: this compresses better than an object for each element. */
const Columns = z.object({
  version: z.literal(1),
  texts: z.array(z.string()),
  styleNames: z.array(z.string()),
  /** Distinct sets of styles: the value of each of `styleNames`, as an index into `texts`. */
  styleSets: z.array(numbers),
  parents: numbers,
  tags: numbers,
  ids: numbers,
  /** Separated by spaces. */
  classes: numbers,
  /** Names and values, alternating. */
  attributes: z.array(numbers),
  roles: numbers,
  names: numbers,
  ownTexts: numbers,
  /** -1 if unknown. */
  pictures: numbers,
  boxes: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  styles: numbers,
  /** How many of the rows, at the end, are generated content. */
  generated: z.number(),
  fonts: z.record(z.string(), z.string()),
});
type Columns = z.infer<typeof Columns>;

/** Numbers texts in the order of their first occurrence. */
function numberTexts(): { texts: string[]; place: (text: string) => number } {
  const places = new Map<string, number>();
  const texts: string[] = [];
  return {
    texts,
    place: (text) => {
      const known = places.get(text);
      if (known !== undefined) return known;
      const next = texts.push(text) - 1;
      places.set(text, next);
      return next;
    },
  };
}

function toColumns({ elements: drawn, generated, fonts }: ElementMap): Columns {
  const elements = [...drawn, ...generated];
  const { texts, place } = numberTexts();
  const sets = numberTexts();
  const column = (read: (element: MappedElement) => string) => elements.map((element) => place(read(element)));
  const known = new Map<ElementStyles, number>();
  const styleSet = (styles: ElementStyles) => {
    const set = known.get(styles) ?? sets.place(STYLE_NAMES.map((name) => place(styles[name])).join(' '));
    known.set(styles, set);
    return set;
  };
  return {
    version: 1,
    parents: elements.map(({ parent }) => parent),
    tags: column(({ tag }) => tag),
    ids: column(({ id }) => id),
    classes: column(({ classes }) => classes.join(' ')),
    attributes: elements.map(({ attributes }) => Object.entries(attributes).flat().map(place)),
    roles: column(({ role }) => role),
    names: column(({ name }) => name),
    ownTexts: column(({ text }) => text),
    pictures: elements.map(({ picture }) => (picture === null ? -1 : place(picture))),
    boxes: elements.map(({ box }) => box),
    generated: generated.length,
    fonts,
    styles: elements.map(({ styles }) => styleSet(styles)),
    styleNames: [...STYLE_NAMES],
    styleSets: sets.texts.map((set) => set.split(' ').map(Number)),
    texts,
  };
}

/** For an index that comes from the map itself. */
function at<T>(list: T[], place: number | undefined): T {
  const value = place === undefined ? undefined : list[place];
  if (value === undefined) throw new Error('The element map is damaged');
  return value;
}

function readAttributes(places: number[], texts: string[]): Record<string, string> {
  const entries = places.flatMap((place, index) =>
    index % 2 === 0 ? [[at(texts, place), at(texts, places[index + 1])]] : [],
  );
  return Object.fromEntries(entries);
}

function fromColumns(columns: Columns): ElementMap {
  const { texts, styleNames } = columns;
  const text = (column: number[], index: number) => at(texts, column[index]);
  const styleAt = new Map(styleNames.map((name, place) => [name, place]));
  const styleSets = columns.styleSets.map((set) =>
    collectStyles((name) => {
      const place = styleAt.get(name);
      return place === undefined ? '' : text(set, place);
    }),
  );
  const pictureAt = (index: number) => {
    const place = columns.pictures[index] ?? -1;
    return place < 0 ? null : at(texts, place);
  };
  const rows = columns.parents.map((parent, index): MappedElement => {
    const classes = text(columns.classes, index);
    return {
      parent,
      tag: text(columns.tags, index),
      id: text(columns.ids, index),
      classes: classes === '' ? [] : classes.split(' '),
      attributes: readAttributes(at(columns.attributes, index), texts),
      role: text(columns.roles, index),
      name: text(columns.names, index),
      text: text(columns.ownTexts, index),
      picture: pictureAt(index),
      box: at(columns.boxes, index),
      styles: at(styleSets, columns.styles[index]),
    };
  });
  const elements = rows.slice(0, rows.length - columns.generated);
  return { elements, generated: rows.slice(elements.length), fonts: columns.fonts };
}

export const encodeElementMap = async (map: ElementMap): Promise<Buffer> => packJson(toColumns(map));

/**
 * Elements with the same styles share one object.
 * @throws Error when the bytes are not those of an element map.
 */
export async function decodeElementMap(bytes: Buffer): Promise<ElementMap> {
  return unpackJson(bytes, 'element map', (json) => fromColumns(Columns.parse(json)));
}
