import type { Area, ChangeKind, PageChange } from '../../elements/page-change.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'result_changes.baseline_box': Area;
    'result_changes.current_box': Area;
    'result_changes.canvas_box': Area;
  }
}

/** One cause of a result's differences. Results that have one with the same key form a group. */
export type StoredChange = Omit<PageChange, 'kind'> & {
  id: string;
  kind: ChangeKind;
  pageResultId: string;
  /** Null: nobody approved it by itself. It also counts as approved when its result is. */
  approvedAt: Date | null;
};
