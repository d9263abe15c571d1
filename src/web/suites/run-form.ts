import { BRANCH_MAX_LENGTH } from '../../runs/run.ts';
import { readNextRun } from '../../suites/config/run-schedule.ts';
import { URL_MAX_LENGTH } from '../../suites/suite-input.ts';
import type { SuiteForViewer } from '../../suites/suite.ts';
import { buildFields, ofForm, type Problem } from '../form-field.ts';

/** @param runnable the number of pages that a run would capture */
export function runForm(suite: SuiteForViewer, runnable: number, problem: Problem | null, now: Date) {
  const own = ofForm(problem, 'targetBaseUrl');
  const fields = buildFields(
    {
      targetBaseUrl: {
        label: 'Preview URL',
        type: 'url',
        required: true,
        note: 'Captures the same pages below this URL and compares them with the baselines. Baselines don’t change until you approve.',
        attributes: { maxlength: URL_MAX_LENGTH, placeholder: 'https://preview.example.com', autocomplete: 'off' },
      },
      branch: {
        label: 'Branch',
        note: 'Only a label for this run.',
        attributes: { maxlength: BRANCH_MAX_LENGTH, autocomplete: 'off' },
      },
      render: { label: 'Capture every page, even if it is served unchanged', type: 'checkbox' },
    },
    own,
  );
  return {
    action: `/suites/${suite.id}/run`,
    isReady: suite.isActive && runnable > 0,
    next: readNextRun(suite, now),
    runnable,
    viewports: suite.config.viewports.length,
    branchOpen: own !== null,
    fields,
  };
}

export function addPageForm(problem: Problem | null) {
  const own = ofForm(problem, 'address');
  const wrong = own?.fields['path'] ?? own?.fields['url'] ?? null;
  const { address } = buildFields(
    {
      address: {
        label: 'Path or URL',
        required: true,
        note: 'Must be on the suite’s host. The page is tracked and kept even if nothing links to it.',
        attributes: {
          maxlength: URL_MAX_LENGTH,
          placeholder: '/pricing?plan=team',
          autocomplete: 'off',
          spellcheck: 'false',
        },
      },
    },
    own === null || wrong === null ? own : { ...own, fields: { address: wrong } },
  );
  return { open: own !== null, field: address };
}
