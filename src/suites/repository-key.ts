/** As the code host writes it; may contain upper case. */
export type RepositoryName = { owner: string; repo: string };

/** A repository in lower case: names of repositories are compared without regard to case. */
export type RepositoryKey = { owner: string; repo: string };

export function toRepositoryKey({ owner, repo }: RepositoryName): RepositoryKey {
  return { owner: owner.toLowerCase(), repo: repo.toLowerCase() };
}
