import type { DoctorFacts, RequiredCheck } from './doctor-facts.ts';
import type { Finding } from './doctor-finding.ts';
import { failed, ok, unknown, warning } from './doctor-finding.ts';

const NAME = 'required_check';
const lower = (text: string) => text.trim().toLowerCase();

/** A required check that was meant to be ours, by a name that nothing here reports: it would be waited for for ever. */
function lookalikeOf(required: RequiredCheck[], facts: DoctorFacts): string | null {
  const { checkName, defaultCheckName, otherCheckNames, appId } = facts;
  const known = new Set([checkName, ...otherCheckNames]);
  const meant = ({ context, appId: from }: RequiredCheck) =>
    from === appId || [checkName, defaultCheckName].some((name) => lower(context).startsWith(lower(name)));
  return required.find((check) => !known.has(check.context) && meant(check))?.context ?? null;
}

/** The name must be exactly ours, and any App's or ours: a required check that never arrives blocks every merge. */
export function diagnoseRequiredCheck(facts: DoctorFacts): Finding {
  const { rules, checkName, appId, repository } = facts;
  if (!rules.known) return unknown(NAME, 'the rules of the branch', rules.why);
  const { branch, required } = rules.value;
  const ours = required.filter(({ context }) => context === checkName);
  const foreign = ours.find((check) => check.appId !== null && check.appId !== appId);
  if (foreign !== undefined) {
    return failed(
      NAME,
      `The rules of ${branch} want "${checkName}" from another App, which never reports it.`,
      `In the rules of ${branch}, choose this App as the source of "${checkName}".`,
    );
  }
  const lookalike = lookalikeOf(required, facts);
  if (lookalike !== null) {
    return failed(
      NAME,
      `The rules of ${branch} require "${lookalike}", which nothing reports; the check of this suite is "${checkName}".`,
      `In the rules of ${branch}, put "${checkName}" in the place of "${lookalike}".`,
    );
  }
  if (ours.length > 0) return ok(NAME, `The rules of ${branch} require "${checkName}".`);
  return warning(
    NAME,
    `No rule of ${branch} requires "${checkName}", so a pull request can be merged before its review.`,
    `In the settings of ${repository}, add a branch rule for ${branch} that requires the status check "${checkName}".`,
  );
}

export function diagnoseMergeQueue({ rules, installation, deliveries }: DoctorFacts): Finding {
  if (!rules.known) return unknown('merge_queue', 'whether there is a merge queue', rules.why);
  const { branch, mergeQueue } = rules.value;
  const isOn = mergeQueue || deliveries.some(({ event }) => event === 'merge_group');
  if (!isOn) return ok('merge_queue', `No rule of ${branch} asks for a merge queue.`);
  if (!installation.known) return unknown('merge_queue', 'the events of the App', installation.why);
  if (installation.value.events.includes('merge_group')) {
    return ok('merge_queue', `There is a merge queue for ${branch}, and the App is subscribed to it.`);
  }
  return failed(
    'merge_queue',
    `There is a merge queue for ${branch}, and the App is not subscribed to merge_group: checks in the queue never arrive.`,
    'Give the App the permission "Merge queues: read", and tick "Merge group" among its events.',
  );
}
