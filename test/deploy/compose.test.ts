import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readText, readYaml, ROOT, VARIABLES, VERSION } from './read-deploy.ts';

/** The part of the Compose specification that the file uses. A misspelled key is refused. */
const Condition = z.enum(['service_healthy', 'service_completed_successfully']);
const Duration = z.string().regex(/^\d+s$/);
const Size = z.string().regex(/^\d+[mg]b$/);
const Service = z.strictObject({
  image: z.string(),
  build: z.literal('..').optional(),
  user: z.string(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  restart: z.enum(['no', 'unless-stopped']),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  stop_grace_period: Duration.optional(),
  shm_size: Size.optional(),
  env_file: z.literal('.env').optional(),
  environment: z.record(z.string(), z.string()).optional(),
  networks: z.array(z.enum(['data', 'outside'])).optional(),
  network_mode: z.literal('none').optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string().regex(/^(postgres|images):\//)).optional(),
  deploy: z.strictObject({ replicas: z.string() }).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: Condition })).optional(),
  healthcheck: z.union([
    z.strictObject({ disable: z.literal(true) }),
    z.strictObject({
      test: z.tuple([z.literal('CMD')], z.string()),
      interval: Duration,
      timeout: Duration,
      retries: z.int(),
      start_period: Duration.optional(),
    }),
  ]),
});
const Compose = z.looseObject({
  name: z.literal('pixelgate'),
  services: z.record(z.string(), Service),
  networks: z.strictObject({ data: z.strictObject({ internal: z.literal(true) }), outside: z.strictObject({}) }),
  volumes: z.strictObject({ postgres: z.strictObject({}), images: z.strictObject({}) }),
});

const FILE = 'deploy/compose.yaml';
const compose = Compose.parse(readYaml(FILE)[0]);
const services = Object.entries(compose.services);
const { web, worker, postgres, s3, bucket } = compose.services;

describe('deploy/compose.yaml', () => {
  it('has nothing beside its services but what they share', () => {
    const own = ['name', 'services', 'networks', 'volumes'];
    expect(Object.keys(compose).filter((key) => !own.includes(key) && !key.startsWith('x-'))).toEqual([]);
    expect(services.map(([name]) => name).toSorted()).toEqual(['bucket', 'postgres', 's3', 'web', 'worker']);
  });

  it('is pinned: to this release, and to a version of everything else', () => {
    for (const service of [web, worker, bucket]) expect(service?.image).toMatch(new RegExp(`/pixelgate:${VERSION}$`));
    for (const service of [postgres, s3]) expect(service?.image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  });

  it.each(services)('%s runs without root, capabilities and the way to more of them', (_name, service) => {
    expect(service.user).toMatch(/^(node|postgres|1000:1000)$/);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
  });

  it('keeps the sandbox of the browser on, with the profile beside it', () => {
    expect(worker?.security_opt).toContain('seccomp=./chromium-seccomp.json');
    expect(existsSync(path.join(ROOT, 'deploy/chromium-seccomp.json'))).toBe(true);
    expect(worker?.shm_size).toBe('1gb');
    expect(readText(FILE)).not.toMatch(/unconfined|privileged: true|cap_add|no-sandbox/);
  });

  it('starts each one when what it needs is healthy', () => {
    for (const [name, { depends_on: needed = {}, healthcheck }] of services) {
      for (const [other, { condition }] of Object.entries(needed)) {
        const isOnce = 'disable' in (compose.services[other]?.healthcheck ?? { disable: true });
        expect([name, other, condition]).toEqual([
          name,
          other,
          isOnce ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
      expect([name, 'disable' in healthcheck]).toEqual([name, name === 'bucket']);
    }
    for (const service of [web, worker]) expect(Object.keys(service?.depends_on ?? {})).toEqual(['postgres', 's3']);
  });

  it('asks whether the service is ready, and leaves it the time to stop', () => {
    for (const service of [web, worker]) {
      expect(JSON.stringify(service?.healthcheck)).toContain('http://127.0.0.1:3000/readyz');
      expect(service?.stop_grace_period).toBe('60s');
    }
  });

  it('sets only what the service reads, and no secret', () => {
    for (const service of [web, worker]) {
      const { environment = {} } = service ?? {};
      expect(Object.keys(environment).filter((name) => !VARIABLES.has(name))).toEqual([]);
      expect(environment['ROLE']).toBe(service === web ? 'web' : 'worker');
    }
    const secrets = [...readText(FILE).matchAll(/\$\{(JWT_SECRET|POSTGRES_PASSWORD|S3_SECRET)(.{0,2})/g)];
    expect(new Set(secrets.map(([, name]) => name)).size).toBe(3);
    for (const [, name, rule] of secrets) expect([name, rule]).toEqual([name, ':?']);
  });

  it('shows nothing to the network but the pages, and those to this machine', () => {
    for (const [name, { ports }] of services) expect([name, ports !== undefined]).toEqual([name, name === 'web']);
    expect(web?.ports).toEqual(['${LISTEN:-127.0.0.1:3000}:3000']);
    for (const service of [postgres, s3]) expect(service?.networks).toEqual(['data']);
  });
});
