import { isDeepStrictEqual } from 'node:util';
import { without, type PageRule, type PageSettings } from '../config/page-rule.ts';
import { loosensUp, type Effect } from './setting-effects.ts';

/** The settings that decide about a page, which rules may override. */
type PageField = Exclude<keyof PageRule, 'paths' | 'viewports'>;

/** One difference between two configurations for a page. For a list, one item that is added or removed. */
export type PageChange = { field: PageField; before: unknown; after: unknown; effect: Effect };

type FieldJudge = (before: PageSettings, after: PageSettings) => Omit<PageChange, 'field'>[];

/** Each item hides something. */
const hides =
  (field: 'hide' | 'remove' | 'mask' | 'ignore' | 'ignoreBoxes'): FieldJudge =>
  ({ [field]: before }, { [field]: after }) => [
    ...without<unknown>(after, before).map((item) => ({ before: null, after: item, effect: 'LOOSENS' as const })),
    ...without<unknown>(before, after).map((item) => ({ before: item, after: null, effect: 'TIGHTENS' as const })),
  ];

/** Any other value captures the page in another way, so that something else may be seen. */
const captures =
  (field: 'waitFor' | 'actions' | 'css' | 'waitTime'): FieldJudge =>
  ({ [field]: before }, { [field]: after }) =>
    isDeepStrictEqual(before, after) ? [] : [{ before, after, effect: 'LOOSENS' }];

/** The higher it is, the less counts. */
const limits =
  (field: 'threshold' | 'failureThreshold'): FieldJudge =>
  ({ [field]: before }, { [field]: after }) =>
    before === after ? [] : [{ before, after, effect: loosensUp(before, after) }];

const skips: FieldJudge = ({ skip: before }, { skip: after }) =>
  before === after ? [] : [{ before, after, effect: after ? 'LOOSENS' : 'TIGHTENS' }];

/** Whether a change of each part of a rule loosens or tightens. */
const FIELDS: Readonly<Record<PageField, FieldJudge>> = {
  failureThreshold: limits('failureThreshold'),
  threshold: limits('threshold'),
  ignore: hides('ignore'),
  ignoreBoxes: hides('ignoreBoxes'),
  mask: hides('mask'),
  hide: hides('hide'),
  remove: hides('remove'),
  waitFor: captures('waitFor'),
  actions: captures('actions'),
  css: captures('css'),
  waitTime: captures('waitTime'),
  skip: skips,
};

type JudgeFields = [field: PageField, judge: FieldJudge][];

const isField = (name: string): name is PageField => Object.hasOwn(FIELDS, name);
const ALL: JudgeFields = Object.keys(FIELDS).flatMap((name) => (isField(name) ? [[name, FIELDS[name]]] : []));

/** The differences of another configuration for one page at one viewport. None if both skip it. Pure. */
export function comparePage(base: PageSettings, head: PageSettings): PageChange[] {
  if (base.skip && head.skip) return [];
  // If only one of them captures the page, nothing else can be compared.
  const fields = base.skip === head.skip ? ALL : ALL.filter(([field]) => field === 'skip');
  return fields.flatMap(([field, judge]) => judge(base, head).map((change) => ({ field, ...change })));
}
