import { z } from 'zod';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { confirmLink } from '../../github/sign-in/may-link.ts';
import { URL_MAX_LENGTH } from '../../suites/http-url.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { SUITE_NAME_MAX_LENGTH } from '../../suites/suite-input.ts';
import { updateSuite } from '../../suites/update-suite.ts';
import { queryText } from '../form-values.ts';
import { redirect, type Reply } from '../reply.ts';
import { readChoice } from './link-form.ts';

/** The prefilled values of the form for a new suite, from its URL. `repository`: the one to link, see `choiceValue`. */
export const Prefill = z.object({
  baseUrl: queryText(URL_MAX_LENGTH),
  name: queryText(SUITE_NAME_MAX_LENGTH),
  repository: queryText(300),
});
export type Prefill = z.output<typeof Prefill>;

/** The repository that a new suite will be linked to, for people. Null: none. */
export function describeRepository(repository: string): string | null {
  const link = readChoice(repository);
  return link === null ? null : `${link.owner}/${link.repo}`;
}

/** Links a new suite to the repository that it was created for, and leads on to its first check. */
export async function linkNewSuite(
  ctx: Context,
  viewer: Viewer,
  { id, name }: { id: string; name: string },
  repository: string | undefined,
): Promise<Reply> {
  const link = readChoice(repository ?? '');
  if (link === null) return redirect(`/suites/${id}`, `Created ${name}`);
  try {
    const suite = await getSuiteFor(ctx, viewer, id, 'suite.edit');
    await updateSuite(ctx, suite, { codehost: link }, { confirmLink: async (to) => confirmLink(ctx, viewer, to) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return redirect(`/suites/${id}/repository`, `Created ${name}, but it could not be linked: ${error.message}`);
  }
  return redirect(`/suites/${id}/first-check`, `Created ${name}`);
}
