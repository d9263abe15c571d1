import { failed, ok, unknown, warning, type Answer, type DoctorFacts, type RequiredCheck } from './doctor-facts.ts';

const lower = (text: string) => text.trim().toLowerCase();

/**
 * A required check that was probably meant to be ours, but has a name that nothing here reports. It would block
 * merges forever.
 */
function findLookalike(required: RequiredCheck[], facts: DoctorFacts): string | null {
  const { checkName, defaultCheckName, otherCheckNames, summaryName, appId } = facts;
  const known = new Set([checkName, ...otherCheckNames, ...(summaryName === null ? [] : [summaryName])]);
  const meant = ({ context, appId: from }: RequiredCheck) =>
    from === appId || [checkName, defaultCheckName].some((name) => lower(context).startsWith(lower(name)));
  return required.find((check) => !known.has(check.context) && meant(check))?.context ?? null;
}

/**
 * The name must match exactly, and the source must be our App or any App. A required check that never arrives blocks
 * every merge.
 */
export function diagnoseRequiredCheck(facts: DoctorFacts): Answer {
  const { rules, checkName, summaryName, appId, repository } = facts;
  if (!rules.known) return unknown('the branch rules', rules.why);
  const { branch, required } = rules.value;
  const ours = required.filter(({ context }) => context === checkName || context === summaryName);
  const foreign = ours.find((check) => check.appId !== null && check.appId !== appId);
  if (foreign !== undefined) {
    const { context } = foreign;
    return failed(
      `The rules of ${branch} require “${context}” from a different app, which never reports it.`,
      `In the rules of ${branch}, set this app as the source of “${context}”.`,
    );
  }
  const lookalike = findLookalike(required, facts);
  if (lookalike !== null) {
    return failed(
      `The rules of ${branch} require “${lookalike}”, which is never reported. The check of this suite is “${checkName}”.`,
      `In the rules of ${branch}, replace “${lookalike}” with “${checkName}”.`,
    );
  }
  const [first] = ours;
  if (first !== undefined) return ok(`The rules of ${branch} require “${first.context}”.`);
  return warning(
    `No rule of ${branch} requires “${checkName}”, so pull requests can be merged without a review.`,
    `In the settings of ${repository}, add a branch rule for ${branch} that requires the status check “${checkName}”.`,
  );
}

export function diagnoseMergeQueue({ rules, installation, deliveries }: DoctorFacts): Answer {
  if (!rules.known) return unknown('whether there is a merge queue', rules.why);
  const { branch, mergeQueue } = rules.value;
  const isOn = mergeQueue || deliveries.some(({ event }) => event === 'merge_group');
  if (!isOn) return ok(`The branch ${branch} has no merge queue.`);
  if (!installation.known) return unknown('the events of the app', installation.why);
  if (installation.value.events.includes('merge_group')) {
    return ok(`The branch ${branch} has a merge queue, and the app is subscribed to its events.`);
  }
  return failed(
    `The branch ${branch} has a merge queue, but the app is not subscribed to merge_group, so checks never arrive in the queue.`,
    'Give the app the permission “Merge queues: read” and select the “Merge group” event.',
  );
}
