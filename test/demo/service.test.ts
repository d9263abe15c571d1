import { expect, it } from '@jest/globals';
import { serviceEnv } from '../../demo/service.js';

it('gives the service of the demo nothing of the caller but how it works', () => {
  const caller = {
    DATABASE_URL: 'postgres://production',
    S3_BUCKET: 'real',
    JWT_SECRET: 'secret',
    WORKER_THREADS: '2',
  };
  const env = serviceEnv(caller, '/tmp/demo', 4711);
  expect(env).toMatchObject({ WORKER_THREADS: '2', DATA_DIR: '/tmp/demo', PUBLIC_URL: 'http://127.0.0.1:4711' });
  expect(JSON.stringify(env)).not.toMatch(/production|real|secret/);
});
