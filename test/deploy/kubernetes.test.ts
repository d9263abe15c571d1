import { existsSync, readdirSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GAUGES } from '../../src/queue/metric.ts';
import { Kustomization, Manifest } from './kubernetes-schemas.ts';
import { readText, readYaml, ROOT, VARIABLES, VERSION } from './read-deploy.ts';

const FILES = readdirSync(path.join(ROOT, 'deploy/kubernetes')).map((file) => `kubernetes/${file}`);
const documents = FILES.flatMap((file) => readYaml(`deploy/${file}`));
const manifests = documents.map((document) => Manifest.parse(document));
const kustomization = Kustomization.parse(readYaml('deploy/kustomization.yaml')[0]);

type Kind<K extends Manifest['kind']> = Extract<Manifest, { kind: K }>;
const of = <K extends Manifest['kind']>(kind: K) => manifests.filter((each): each is Kind<K> => each.kind === kind);
const named = <K extends Manifest['kind']>(kind: K, name: string) => {
  const found = of(kind).find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
  return found;
};

const worker = named('Deployment', 'pixelgate-worker').spec.template;
const web = named('Deployment', 'pixelgate-web').spec.template;
const copier = named('DaemonSet', 'pixelgate-seccomp').spec.template;
const policies = of('NetworkPolicy');

const fits = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

describe('the manifests', () => {
  it('are all applied, but the one that needs more in the cluster, which is named', () => {
    const optional = 'kubernetes/scaled-object.yaml';
    expect([...kustomization.resources, optional].toSorted()).toEqual(FILES.toSorted());
    expect(readText('deploy/kustomization.yaml')).toContain(`# - ${optional}`);
  });

  it('are pinned to this release', () => {
    expect(kustomization.images).toEqual([expect.objectContaining({ name: 'pixelgate', newTag: VERSION })]);
  });

  it('select the pods that they mean', () => {
    for (const { spec } of [...of('Deployment'), ...of('DaemonSet')]) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
    expect(fits(named('Service', 'pixelgate').spec.selector, web.metadata.labels)).toBe(true);
    expect(fits(named('Service', 'pixelgate').spec.selector, worker.metadata.labels)).toBe(false);
    for (const { spec } of policies) {
      expect(fits(spec.podSelector.matchLabels, worker.metadata.labels)).toBe(true);
      expect(fits(spec.podSelector.matchLabels, web.metadata.labels)).toBe(false);
    }
  });

  it('mount volumes that are there', () => {
    for (const { spec } of [worker, web, copier]) {
      const volumes = new Set(spec.volumes.map(({ name }) => name));
      const mounts = [...(spec.initContainers ?? []), ...spec.containers].flatMap((each) => each.volumeMounts ?? []);
      expect(new Set(mounts.map(({ name }) => name))).toEqual(volumes);
    }
  });

  it('set only what the service reads', () => {
    const config = kustomization.configMapGenerator.find(({ name }) => name === 'pixelgate');
    const set = (config?.literals ?? []).map((literal) => literal.split('=')[0] ?? '');
    const own = [worker, web].flatMap(({ spec }) => spec.containers.flatMap(({ env = [] }) => env));
    expect([...set, ...own.map(({ name }) => name)].filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(set.filter((name) => /SECRET|KEY|DATABASE/.test(name))).toEqual([]);
  });
});

describe('the pods', () => {
  it.each([
    ['worker', worker],
    ['web', web],
  ])('of %s are not root, and get the time to stop', (_name, { spec }) => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(spec.terminationGracePeriodSeconds).toBe(60);
    expect(spec.containers[0]?.readinessProbe?.httpGet.path).toBe('/readyz');
    expect(spec.containers[0]?.livenessProbe?.httpGet.path).toBe('/healthz');
  });

  it('of workers have the sandbox, from where it is put on each node, and one architecture', () => {
    expect(worker.spec.securityContext.seccompProfile).toEqual({
      type: 'Localhost',
      localhostProfile: 'pixelgate/chromium-seccomp.json',
    });
    const folder = copier.spec.volumes.find(({ hostPath }) => hostPath !== undefined)?.hostPath?.path;
    expect(folder).toBe('/var/lib/kubelet/seccomp/pixelgate');
    const generated = kustomization.configMapGenerator.find(({ name }) => name === 'pixelgate-seccomp');
    expect(generated?.files).toEqual(['chromium-seccomp.json']);
    expect(existsSync(path.join(ROOT, 'deploy/chromium-seccomp.json'))).toBe(true);
    const [copy] = copier.spec.initContainers ?? [];
    expect(copy?.command).toEqual(['cp', '/profile/chromium-seccomp.json', '/node/']);
    expect(worker.spec.nodeSelector).toMatchObject({ 'kubernetes.io/arch': 'amd64' });
    expect(copier.spec.nodeSelector).toEqual(worker.spec.nodeSelector);
  });

  it('of the copier are root only while they copy, and can write nothing else', () => {
    expect(copier.spec.containers[0]?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const { securityContext } of copier.spec.initContainers ?? []) {
      expect(securityContext).toMatchObject({ runAsUser: 0, readOnlyRootFilesystem: true });
    }
  });

  it('never give up the sandbox', () => {
    for (const file of FILES)
      expect(readText(`deploy/${file}`)).not.toMatch(/Unconfined|privileged|no-sandbox|SYS_ADMIN/);
  });
});

describe('the network policies of workers', () => {
  it('deny what no other one allows', () => {
    const deny = named('NetworkPolicy', 'pixelgate-worker-deny');
    expect(deny.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect([deny.spec.ingress, deny.spec.egress]).toEqual([undefined, undefined]);
  });

  it('open the public web, and no private address', () => {
    const blocks = policies.flatMap(({ spec }) =>
      (spec.egress ?? []).flatMap(({ to }) => to.flatMap((peer) => ('ipBlock' in peer ? [peer.ipBlock] : []))),
    );
    const isOpen = (address: string) => {
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      return blocks.some(({ cidr, except }) => {
        const covers = (network: string) => {
          const list = new BlockList();
          const [base = '', bits] = network.split('/');
          list.addSubnet(base, Number(bits), isIPv6(base) ? 'ipv6' : 'ipv4');
          return isIPv6(base) === (family === 'ipv6') && list.check(address, family);
        };
        return covers(cidr) && !except.some(covers);
      });
    };
    for (const address of ['93.184.215.14', '172.32.0.1', '2606:2800:21f::1'])
      expect([address, isOpen(address)]).toEqual([address, true]);
    const closed = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'];
    for (const address of [...closed, '::1', 'fd00::1', 'fe80::1', '64:ff9b::a00:1']) {
      expect([address, isOpen(address)]).toEqual([address, false]);
    }
  });
});

describe('the scaled object', () => {
  it('asks for a metric that exists, of workers that are there, and keeps one', () => {
    const [{ spec } = named('ScaledObject', 'pixelgate-worker')] = of('ScaledObject');
    expect(spec.scaleTargetRef.name).toBe('pixelgate-worker');
    expect(spec.minReplicaCount).toBe(1);
    expect(spec.triggers[0]?.metadata.query).toBe(`max(${GAUGES.workers_wanted.name})`);
  });
});
