import type { WorkerContext } from '../../context.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import type { AskAgain } from './ask-again.ts';
import { hashSettings, isMadeAlike, type Inputs } from './manifest.ts';
import { readManifest } from './store-manifest.ts';

/** A server that is asked for pages of a run, and how they would be captured from it now. */
export type Asking = {
  run: Run;
  ask: AskAgain;
  inputs: Omit<Inputs, 'settings' | 'protocol'>;
};

/** How many requests prove that a page matches its manifest. Null: it does not. */
export async function provePage(
  ctx: WorkerContext,
  { run, ask, inputs }: Asking,
  page: Pick<PageResult, 'url' | 'path' | 'viewport'>,
  manifestFile: string | null,
): Promise<number | null> {
  const manifest = await readManifest(ctx, manifestFile);
  if (manifest === null || manifest.obstacles.length > 0 || manifest.exchanges.length === 0) return null;
  const { protocol } = new URL(page.url);
  if (!isMadeAlike(manifest, { ...inputs, protocol, settings: hashSettings(run, page) })) return null;
  // A changed document is the usual reason why a page is not proven, and it is asked for at once.
  const inOrder = manifest.exchanges.toSorted(
    (one, other) => Number(other.kind === 'document') - Number(one.kind === 'document'),
  );
  for (const exchange of inOrder) if (!(await ask.isUnchanged(exchange, manifest.literal))) return null;
  return inOrder.length;
}
