import type { z } from 'zod';
import type { Baseline, BaselineVersion, BaselineVersionEvent } from '../baselines/baseline.ts';
import type { Config } from '../config.ts';
import { imageUrl } from '../http/image-url.ts';
import { presentSummaryOrNull } from './present-user.ts';
import type * as shapes from './schemas/baseline-schemas.ts';

type Addresses = Pick<Config, 'cdnBaseUrl' | 'publicUrl'>;

export function presentBaseline(config: Addresses, baseline: Baseline): z.output<typeof shapes.Baseline> {
  return {
    id: baseline.id,
    testSuiteId: baseline.testSuiteId,
    url: baseline.url,
    path: baseline.path,
    viewport: baseline.viewport,
    filePath: imageUrl(config, baseline.filePath),
    isApproved: baseline.isApproved,
    currentVersion: baseline.currentVersion,
    currentVersionId: baseline.currentVersionId,
    createdAt: baseline.createdAt.toISOString(),
    updatedAt: baseline.updatedAt.toISOString(),
  };
}

export function presentVersion(config: Addresses, version: BaselineVersion): z.output<typeof shapes.BaselineVersion> {
  return {
    id: version.id,
    testSuiteId: version.testSuiteId,
    path: version.path,
    url: version.url,
    viewport: version.viewport,
    version: version.version,
    filePath: imageUrl(config, version.filePath),
    source: version.source,
    approvedBy: presentSummaryOrNull(version.approvedBy),
    approvedAt: version.approvedAt.toISOString(),
    testRunId: version.testRunId,
    pageResultId: version.pageResultId,
    diffScore: version.diffScore,
    prNumber: version.prNumber,
    note: version.note,
    restoredVersion: version.restoredVersion,
    createdAt: version.createdAt.toISOString(),
    updatedAt: version.updatedAt.toISOString(),
  };
}

export function presentVersionRef(
  config: Addresses,
  version: BaselineVersion,
): z.output<typeof shapes.BaselineVersionRef> {
  return {
    id: version.id,
    version: version.version,
    filePath: imageUrl(config, version.filePath),
    viewport: version.viewport,
    approvedAt: version.approvedAt.toISOString(),
  };
}

export function presentEvent(
  config: Addresses,
  event: BaselineVersionEvent,
): z.output<typeof shapes.BaselineVersionEvent> {
  const { previousFilePath } = event;
  return {
    id: event.id,
    viewport: event.viewport,
    version: event.version,
    filePath: imageUrl(config, event.filePath),
    previousFilePath: previousFilePath === null ? null : imageUrl(config, previousFilePath),
    previousVersionId: event.previousVersionId,
    source: event.source,
    approvedBy: presentSummaryOrNull(event.approvedBy),
    approvedAt: event.approvedAt.toISOString(),
    diffScore: event.diffScore,
    prNumber: event.prNumber,
    testRunId: event.testRunId,
    note: event.note,
    restoredVersion: event.restoredVersion,
  };
}

export function presentCurrentBaseline(
  config: Addresses,
  version: BaselineVersion,
): z.output<typeof shapes.PageCurrentBaseline> {
  return {
    viewport: version.viewport,
    version: version.version,
    filePath: imageUrl(config, version.filePath),
    approvedBy: presentSummaryOrNull(version.approvedBy),
    approvedAt: version.approvedAt.toISOString(),
    source: version.source,
  };
}
