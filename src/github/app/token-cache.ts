import type { Context } from '../../context.ts';

/** A minute less than GitHub's hour. */
const LIFETIME_MS = 59 * 60_000;

/** The tokens of an App's installations, in the form in which Octokit keeps them. Its keys are the IDs of installations. */
export function tokenCache({ tokens, clock }: Pick<Context, 'tokens' | 'clock'>, appId: number) {
  const keyFor = (installation: string | number) => `${appId}/${installation}`;
  return {
    get(installation: string): string | undefined {
      const kept = tokens.get(keyFor(installation));
      return kept !== undefined && kept.until > clock.now() ? kept.token : undefined;
    },
    set(installation: string, token: string): void {
      tokens.set(keyFor(installation), { token, until: new Date(clock.now().getTime() + LIFETIME_MS) });
    },
    remove(installationId: number): void {
      tokens.delete(keyFor(installationId));
    },
  };
}
