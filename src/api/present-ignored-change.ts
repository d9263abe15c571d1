import type { z } from 'zod';
import type { Config } from '../config.ts';
import { imageUrl } from '../http/image-url.ts';
import type { IgnoredChange } from '../runs/judging/ignored-change.ts';
import type * as schemas from './schemas/ignored-change-schemas.ts';

export function presentIgnoredChange(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  change: IgnoredChange,
): z.output<typeof schemas.IgnoredChange> {
  const { authorId, authorName, authorEmail } = change;
  return {
    id: change.id,
    testSuiteId: change.testSuiteId,
    path: change.path,
    viewport: change.viewport,
    baselineFile: imageUrl(config, change.baselineFile),
    currentFile: imageUrl(config, change.currentFile),
    note: change.note,
    author: authorId === null ? null : { id: authorId, name: authorName, email: authorEmail },
    expiresAt: change.expiresAt?.toISOString() ?? null,
    uses: change.uses,
    lastUsedAt: change.lastUsedAt?.toISOString() ?? null,
    createdAt: change.createdAt.toISOString(),
    updatedAt: change.updatedAt.toISOString(),
  };
}
