import { createRequire } from 'node:module';

type Example = {
  action: string;
  repository: object;
  sender: object;
  check_run: object;
  check_suite: object;
  merge_group: object;
};

const definitions: { name: string; examples: Example[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);

/** GitHub's example of the event, for the repository `Acme/Site`: names are not case-sensitive. */
function exampleOf(event: string, action: string, fullName = 'Acme/Site'): Example & { installation: { id: number } } {
  const example = definitions
    .find((definition) => definition.name === event)
    ?.examples.find((each) => each.action === action);
  if (example === undefined) throw new Error(`There is no example of ${event}.${action}`);
  const [login = '', name = ''] = fullName.split('/');
  const repository = { ...example.repository, name, full_name: fullName, owner: { login } };
  return { ...example, repository, installation: { id: 12 } };
}

export type CheckRunSaid = {
  id?: number;
  headSha?: string;
  externalId?: string;
  branch?: string;
  repository?: string;
  button?: string;
  sender?: { id: number; login: string };
};

export function checkRunEvent(action: string, said: CheckRunSaid): object {
  const example = exampleOf('check_run', action, said.repository);
  return {
    ...example,
    check_run: {
      ...example.check_run,
      id: said.id,
      head_sha: said.headSha,
      external_id: said.externalId ?? '',
      pull_requests: [],
      check_suite: { head_branch: said.branch ?? 'feature' },
    },
    sender: said.sender ?? example.sender,
    ...(said.button === undefined ? {} : { requested_action: { identifier: said.button } }),
  };
}

export function checkSuiteEvent(said: { headSha: string; branch?: string }): object {
  const example = exampleOf('check_suite', 'rerequested');
  const told = { head_sha: said.headSha, head_branch: said.branch ?? null, pull_requests: [] };
  return { ...example, check_suite: { ...example.check_suite, ...told } };
}

export function mergeGroupEvent(action: string, said: { headSha: string; headRef: string }): object {
  const example = exampleOf('merge_group', 'checks_requested');
  const told = { head_sha: said.headSha, head_ref: said.headRef };
  return { ...example, action, merge_group: { ...example.merge_group, ...told } };
}
