import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../src/config.ts';
import { demoConfig, startDemoService } from '../../src/demo/own-service.ts';

describe('the service of the demo', () => {
  it('never touches the database, storage or secrets of whoever starts the demo', () => {
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://real',
      S3_BUCKET: 'real',
      JWT_SECRET: 'x'.repeat(40),
      ROLE: 'worker',
      ALLOW_REGISTRATION: 'false',
      CHROMIUM_PATH: '/opt/chromium',
    };
    expect(demoConfig(env, '/somewhere', 4321)).toMatchObject({
      production: false,
      databaseUrl: null,
      s3: null,
      jwtSecret: null,
      role: 'all',
      allowRegistration: true,
      allowPrivateTargets: true,
      chromiumPath: '/opt/chromium',
      port: 4321,
      publicUrl: 'http://127.0.0.1:4321',
      dataDir: '/somewhere',
      logLevel: 'warn',
    });
  });

  it('removes its data directory when it stops, and when it cannot start', async () => {
    const configs: Config[] = [];
    const running = await startDemoService({}, async (config) => {
      configs.push(config);
      expect(existsSync(config.dataDir)).toBe(true);
      return { url: config.publicUrl, stop: async () => undefined };
    });
    await running.stop();
    const failing = startDemoService({}, async (config) => {
      configs.push(config);
      throw new Error('no database today');
    });
    await expect(failing).rejects.toThrow('no database today');
    expect(configs.map((config) => existsSync(config.dataDir))).toEqual([false, false]);
  });
});
