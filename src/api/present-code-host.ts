import type { z } from 'zod';
import type { Diagnosis } from '../github/doctor/examine-suite.ts';
import type { LinkableInstallation } from '../github/sign-in/list-linkable.ts';
import type { Repository } from '../github/sign-in/visible-installations.ts';
import type { CodeHostDiagnosis, CodeHostInstallation, CodeHostRepo } from './schemas/code-host-schemas.ts';

export function presentInstallation(installation: LinkableInstallation): z.output<typeof CodeHostInstallation> {
  return {
    id: installation.id,
    installationId: installation.installationId,
    accountLogin: installation.accountLogin,
    accountType: installation.accountType,
    repos: installation.repos,
    createdAt: installation.createdAt.toISOString(),
    updatedAt: installation.updatedAt.toISOString(),
  };
}

export function presentRepository(repository: Repository): z.output<typeof CodeHostRepo> {
  return {
    owner: repository.owner,
    repo: repository.repo,
    fullName: repository.fullName,
    private: repository.private,
  };
}

/** The age in whole seconds. Never negative, even if the clock was set back. */
function presentAge(then: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - then.getTime()) / 1000));
}

export function presentDiagnosis(testSuiteId: string, diagnosis: Diagnosis): z.output<typeof CodeHostDiagnosis> {
  const { repository, checkName, status, findings, deliveries, signals, lastPreview, at } = diagnosis;
  return {
    testSuiteId,
    repository,
    checkName,
    status,
    findings: findings.map((finding) => ({
      name: finding.name,
      status: finding.status,
      message: finding.message,
      remedy: finding.remedy,
    })),
    deliveries: deliveries.map(({ event, receivedAt }) => ({
      event,
      receivedAt: receivedAt.toISOString(),
      ageSeconds: presentAge(receivedAt, at),
    })),
    signals: signals.map(({ source, name, project, host, state, url, use, seenAt }) => ({
      source,
      name,
      project: project === '' ? null : project,
      host,
      state,
      url,
      use,
      seenAt: seenAt.toISOString(),
      ageSeconds: presentAge(seenAt, at),
    })),
    lastPreview:
      lastPreview === null
        ? null
        : {
            source: lastPreview.source,
            name: lastPreview.name,
            url: lastPreview.url,
            seenAt: lastPreview.seenAt.toISOString(),
            ageSeconds: presentAge(lastPreview.seenAt, at),
          },
    examinedAt: at.toISOString(),
  };
}
