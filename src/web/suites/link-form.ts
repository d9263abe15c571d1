import { z } from 'zod';
import type { Context } from '../../context.ts';
import { confirmLink } from '../../github/sign-in/may-link.ts';
import { nameLink } from '../../suites/record-changes.ts';
import { LINK_NAME_MAX_LENGTH, LinkName } from '../../suites/suite-input.ts';
import type { CodeHostLink, SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import { updateSuite } from '../../suites/update-suite.ts';
import { trimmedText } from '../../text/input-words.ts';
import { buildFields, type Problem } from '../form-field.ts';

const CHOICE = /^(\d{1,15}) ([^/\s]+)\/([^/\s]+)$/;

/** The value of a repository in the list. GitHub's names contain no spaces. */
export function choiceValue(installationId: number, fullName: string): string {
  return `${installationId} ${fullName}`;
}

/** The repository in such a value. Null: it is invalid. */
export function readChoice(value: string): Pick<CodeHostLink, 'owner' | 'repo' | 'installationId'> | null {
  const [, installationId, owner, repo] = CHOICE.exec(value) ?? [];
  if (installationId === undefined || owner === undefined || repo === undefined) return null;
  return { installationId: Number(installationId), owner, repo };
}

/** `linked`: the repository that the page showed as linked. Empty: none. */
export const Linked = z.object({ linked: z.string().default('') });

export const linkedField = ({ codehost }: SuiteForViewer) => ({
  name: 'linked',
  value: codehost === null ? '' : nameLink(codehost),
});

const ByHand = z.object({
  owner: LinkName,
  repo: LinkName,
  installationId: z
    .string()
    .trim()
    .regex(/^[1-9]\d{0,14}$/, 'must be an installation ID, which is a number')
    .transform(Number),
  checkContext: trimmedText(LINK_NAME_MAX_LENGTH)
    .optional()
    .transform((name) => name || undefined),
  ...Linked.shape,
});

const Raw = z.looseObject({ choice: z.string().optional() });

/** The repository is chosen from the list or typed in. The single value from the list contains three fields. */
function readTypedRepository(body: unknown): unknown {
  const raw = Raw.safeParse(body);
  const chosen = readChoice(raw.data?.choice ?? '');
  return chosen === null ? body : { ...raw.data, ...chosen, installationId: String(chosen.installationId) };
}

export const LinkForm = z.preprocess(readTypedRepository, ByHand);

export function linkFields({ codehost }: SuiteForViewer, checkName: string, problem: Problem | null) {
  const text = { autocomplete: 'off', spellcheck: 'false', maxlength: LINK_NAME_MAX_LENGTH };
  return buildFields(
    {
      owner: {
        label: 'Owner',
        required: true,
        value: codehost?.owner ?? null,
        attributes: { ...text, placeholder: 'octo-org' },
      },
      repo: {
        label: 'Repository',
        required: true,
        value: codehost?.repo ?? null,
        attributes: { ...text, placeholder: 'website' },
      },
      installationId: {
        label: 'Installation ID',
        required: true,
        value: codehost?.installationId ?? null,
        note: 'The number at the end of the URL of the installed app’s settings on GitHub.',
        attributes: { inputmode: 'numeric', autocomplete: 'off', maxlength: 15 },
      },
      checkContext: {
        label: 'Check name',
        value: codehost?.checkContext ?? null,
        note: `Defaults to ${checkName}. If another suite of the repository uses that name, the suite’s name is added.`,
        attributes: text,
      },
    },
    problem,
  );
}

/** @param linked the repository that the page showed as linked; empty: none */
export async function linkSuite(
  ctx: Context,
  suite: SuiteFor<'suite.edit'>,
  codehost: CodeHostLink,
  linked: string,
): Promise<void> {
  const confirm = async (link: CodeHostLink) => confirmLink(ctx, suite.viewer, link);
  await updateSuite(ctx, suite, { codehost }, { confirmLink: confirm, linked });
}
