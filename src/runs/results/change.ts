import type { ChangeKind, PageChange } from '../../elements/page-change.ts';
import type { Region } from '../../elements/region.ts';

declare module '../../db/json.ts' {
  interface JsonColumns {
    'result_changes.baseline_box': Region;
    'result_changes.current_box': Region;
    'result_changes.canvas_box': Region;
  }
}

/**
 * A change as it was found. `drift`: the suite's own site has changed in the same way. `informs`: it is only told, and
 * needs no decision.
 */
export type FoundChange = PageChange & { drift: boolean; informs: boolean };

/** One cause of a result's differences. Results that have one with the same key form a group. */
export type StoredChange = Omit<FoundChange, 'kind' | 'canvasBox' | 'shownBox' | 'picture'> & {
  id: string;
  kind: ChangeKind;
  pageResultId: string;
  /** Null: it was not approved by itself. It also counts as approved if its result is. */
  approvedAt: Date | null;
};
