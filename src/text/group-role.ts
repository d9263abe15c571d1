import { z } from 'zod';

/** What the members of a group become at each sign-in: an administrator, or somebody with a role on a suite. */
export const GroupRole = z.object({
  group: z.string(),
  role: z.enum(['ADMINISTRATOR', 'VIEWER', 'REVIEWER', 'EDITOR', 'ADMIN']),
  /** Null: an administrator of the installation. */
  suiteId: z.uuid().nullable(),
});
export type GroupRole = z.output<typeof GroupRole>;

const ENTRY = /^(\S.*)=(?:administrator|(viewer|reviewer|editor|admin)@([0-9a-f-]{36}))$/i;

/** `group=administrator` or `group=role@suite-id`, separated by commas. Names of groups keep their case. */
export const groupRoles = z.string().transform((text, context): GroupRole[] =>
  text.split(',').flatMap((part) => {
    const [, group, role = 'administrator', suiteId = null] = ENTRY.exec(part.trim()) ?? [];
    const parsed = GroupRole.safeParse({ group, role: role.toUpperCase(), suiteId: suiteId?.toLowerCase() ?? null });
    if (parsed.success) return [parsed.data];
    const message = 'must be a list such as staff=administrator, design=reviewer@<id of a suite>';
    context.addIssue({ code: 'custom', message });
    return [];
  }),
);
