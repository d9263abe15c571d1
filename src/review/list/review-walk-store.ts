import { z } from 'zod';
import { readRow, readRows, type Db, type Sql } from '../../db/database.ts';
import { CAUSES, QUIET_SECTIONS, rankSection, REVIEW_SECTIONS, type ReviewSection } from '../../runs/results/result.ts';
import { undecidedSql } from '../approval/approvable-sql.ts';
import {
  inListSql,
  isWholeList,
  ORDERED_SQL,
  OWN_KEY_SQL,
  PAGE_CAUSE_SQL,
  type ReviewList,
} from './review-list-sql.ts';
import type { Part } from './review-row.ts';

const QUIET = QUIET_SECTIONS.map(rankSection);
const LOUD = REVIEW_SECTIONS.flatMap((_, rank) => (QUIET.includes(rank) ? [] : [rank]));
const IS_QUIET = (column: string) => `${column} in (${QUIET.join(', ')})`;

const Place = z.object({ id: z.uuid(), path: z.string(), pageRank: z.number(), pageCause: z.enum(CAUSES).nullable() });
/** A result and its page's heading. */
type Place = z.infer<typeof Place>;

const PlaceOnPage = Place.extend({ zone: z.number(), pages: z.number() });
type PlaceOnPage = z.infer<typeof PlaceOnPage>;

/** One part of the list. */
export async function findPlaces(db: Db, list: ReviewList, { limit, offset }: Part): Promise<Place[]> {
  const [condition, bindings] = inListSql(list);
  return readRows(
    db,
    Place,
    `select page_results.id, page_results.path, ordered.page_rank, ordered.page_cause
     from ${ORDERED_SQL} join page_results on page_results.id = ordered.id
     where ${condition}
     order by ordered.place limit ? offset ?`,
    [list.run.id, ...bindings, limit, offset],
  );
}

/** Positions in the main list, and in each quiet section that is folded below it. `pages`: how many each has in all. */
type PlacesByPage = { main: PlacedPages; folded: Map<ReviewSection, PlacedPages> };
type PlacedPages = { places: Place[]; pages: number };

const MAIN_ZONE = -1;

/** The results in the list of the pages in a table `shown`, which has `path`, `page_key`, `zone` and `pages`. */
const placesSql = (condition: string) => `select page_results.id, page_results.path, page_key[1]::integer as page_rank,
    ${PAGE_CAUSE_SQL} as page_cause, zone, pages::integer as pages
  from shown join page_results on page_results.path = shown.path
  where ${condition}
  order by page_key, position`;

async function readAllPages(db: Db, list: ReviewList, { limit, offset }: Part): Promise<PlaceOnPage[]> {
  const [condition, bindings] = inListSql(list);
  return readRows(
    db,
    PlaceOnPage,
    `with listed as (
       select path, min(${OWN_KEY_SQL}) as page_key
       from page_results where test_run_id = ? group by path having bool_or(${condition})
     ), shown as (
       select *, ${MAIN_ZONE} as zone, count(*) over () as pages from listed order by page_key limit ? offset ?
     )
     ${placesSql(condition)}`,
    [list.run.id, ...bindings, limit, offset, ...bindings],
  );
}

/** A run has few pages that need attention. The others are read only if those end within this part. */
async function readFolded(
  db: Db,
  list: ReviewList,
  { limit, offset }: Part,
  foldedLimit: number,
): Promise<PlaceOnPage[]> {
  const [condition, bindings] = inListSql(list);
  const [filter, filterBindings]: Sql = isWholeList(list)
    ? ['true', []]
    : [`path in (select path from page_results where ${condition})`, bindings];
  return readRows(
    db,
    PlaceOnPage,
    `with main as materialized (
       select path, min(${OWN_KEY_SQL}) as page_key from page_results
       where test_run_id = ? and review_rank in (${LOUD.join(', ')}) and ${filter} group by path
     ), quiet as (
       select path, min(${OWN_KEY_SQL}) as page_key from page_results
       where test_run_id = ? and ${filter} group by path having ${IS_QUIET('min(review_rank)')}
     ), folded as (
       select *, page_key[1]::integer as zone, row_number() over section as place, count(*) over (partition by page_key[1]) as pages
       from quiet window section as (partition by page_key[1] order by page_key)
     ), shown as (
       (select path, page_key, ${MAIN_ZONE} as zone, count(*) over () as pages from main order by page_key limit ? offset ?)
       union all
       select path, page_key, zone, pages from folded where place <= ? and (select count(*) from main) <= ?
     )
     ${placesSql(condition)}`,
    [
      list.run.id,
      ...filterBindings,
      list.run.id,
      ...filterBindings,
      limit,
      offset,
      foldedLimit,
      offset + limit,
      ...bindings,
    ],
  );
}

/**
 * The same by pages: all results in the list of some pages.
 * @param foldedLimit how many pages of each quiet section are returned separately with the last part of the main list.
 * Null: nothing is folded, and the main list has all pages.
 */
export async function findPlacesByPage(
  db: Db,
  list: ReviewList,
  part: Part,
  foldedLimit: number | null,
): Promise<PlacesByPage> {
  const rows = await (foldedLimit === null ? readAllPages(db, list, part) : readFolded(db, list, part, foldedLimit));
  const inZone = (wanted: number): PlacedPages => {
    const found = rows.filter((row) => row.zone === wanted);
    return { places: found.map(({ zone: _zone, pages: _pages, ...place }) => place), pages: found[0]?.pages ?? 0 };
  };
  const folded = QUIET_SECTIONS.map((section) => [section, inZone(rankSection(section))] as const);
  return { main: inZone(MAIN_ZONE), folded: new Map(folded) };
}

const Ends = z.object({
  count: z.coerce.number(),
  undecided: z.coerce.number(),
  first: z.uuid().nullable(),
  firstUndecided: z.uuid().nullable(),
});

/** How many results a list has, and where it begins. */
export async function findEnds(db: Db, list: ReviewList): Promise<z.infer<typeof Ends>> {
  const [condition, bindings] = inListSql(list);
  const undecided = `filter (where ${undecidedSql(list.run)})`;
  return readRow(
    db,
    Ends,
    `select count(*) as count, count(*) ${undecided} as undecided, (array_agg(ordered.id order by place))[1] as first,
            (array_agg(ordered.id order by place) ${undecided})[1] as first_undecided
     from ${ORDERED_SQL} join page_results on page_results.id = ordered.id
     where ${condition}`,
    [list.run.id, ...bindings],
  );
}

const Step = z.object({
  what: z.enum(['previous', 'next', 'previousLoud', 'nextLoud', 'nextUndecided']),
  id: z.uuid(),
  images: z.array(z.string()),
});

const Walk = z.object({
  total: z.coerce.number(),
  inMain: z.coerce.number(),
  place: z.coerce.number().nullable(),
  steps: z.array(Step),
});
/**
 * How many results a list has, how many of them on pages that need attention, and the place of the given one, from 1; null
 * when it is not listed. `steps`: the neighbors. `next` contains the images that its page shows first.
 */
type Walk = z.infer<typeof Walk>;

const NO_IMAGES = 'array[]::text[] as images';
const IMAGES = `array(
  select file from page_results, unnest(array[
    coalesce(aligned_baseline_file, baseline_file), coalesce(aligned_current_file, current_file)
  ]) with ordinality as image (file, number)
  where page_results.id = listed.id and file is not null order by number
) as images`;

/**
 * The steps from a result of the run, which need not be in the list. `Loud`: results that need attention. After the
 * last undecided one comes the first.
 */
export async function findWalk(db: Db, list: ReviewList, id: string): Promise<Walk> {
  const [condition, bindings] = inListSql(list);
  const before = 'place < (select place from here)';
  const after = 'place > (select place from here)';
  return readRow(
    db,
    Walk,
    `with ordered as (select * from ${ORDERED_SQL}),
     here as (select place from ordered where id = ?),
     listed as (
       select page_results.id, ordered.place, ordered.page_rank, page_results.review_rank,
              ${undecidedSql(list.run)} as is_undecided
       from ordered join page_results on page_results.id = ordered.id
       where ${condition}
     ), counted as (
       select count(*) as total, count(*) filter (where not ${IS_QUIET('page_rank')}) as in_main,
              case when bool_or(place = (select place from here))
                then count(*) filter (where place <= (select place from here)) end as place
       from listed
     ), step as (
       (select 'previous' as what, id, place, ${NO_IMAGES} from listed where ${before} order by place desc limit 1)
       union all
       (select 'next' as what, id, place, ${IMAGES} from listed where ${after} order by place limit 1)
       union all
       (select 'previousLoud' as what, id, place, ${NO_IMAGES} from listed
        where ${before} and not ${IS_QUIET('review_rank')} order by place desc limit 1)
       union all
       (select 'nextLoud' as what, id, place, ${NO_IMAGES} from listed
        where ${after} and not ${IS_QUIET('review_rank')} order by place limit 1)
       union all
       (select 'nextUndecided' as what, listed.id, listed.place, ${NO_IMAGES} from listed cross join here
        where is_undecided and listed.place <> here.place
        order by (listed.place > here.place) desc, listed.place limit 1)
     )
     select counted.*, coalesce((select jsonb_agg(step order by step.place) from step), '[]') as steps from counted`,
    [list.run.id, id, ...bindings],
  );
}
