import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/errors.ts';
import { explainStartFailure } from '../../src/start/explain-start-failure.ts';

const config = { host: '127.0.0.1', port: 3000, dataDir: '/srv/data', databaseUrl: 'postgresql://db/pixelgate' };
const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);

describe('explainStartFailure', () => {
  it.each([
    [new AppError('unavailable', 'In use.'), 'In use.'],
    [
      Object.assign(new AppError('unavailable', 'The store is away'), { cause: new Error('unknown access key') }),
      'The store is away: unknown access key',
    ],
    [failure('x', { code: 'EADDRINUSE', syscall: 'listen' }), 'PORT is 3000, but another program is already listening'],
    [
      failure('not available', { code: 'EADDRNOTAVAIL', syscall: 'listen' }),
      'cannot listen on HOST 127.0.0.1 and PORT 3000',
    ],
    [
      failure('no such name', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '127.0.0.1' }),
      'cannot listen on HOST 127.0.0.1 and PORT 3000: no such name',
    ],
    [
      failure('EACCES: denied', { code: 'EACCES', path: '/srv/data/jwt-secret' }),
      'DATA_DIR is /srv/data, which cannot',
    ],
    [failure('connect refused', { code: 'ECONNREFUSED' }), 'The database of DATABASE_URL cannot be used: connect r'],
    [failure('', { code: 'ECONNREFUSED' }), 'The database of DATABASE_URL cannot be used: ECONNREFUSED.'],
    [failure('no password', { code: '28P01' }), 'The database of DATABASE_URL cannot be used: no password.'],
  ])('says in a sentence what %p means', (error, sentence) => {
    expect(explainStartFailure(error, config)).toContain(sentence);
  });

  it('has no sentence for a bug', () => {
    expect(explainStartFailure(new TypeError('x is not a function'), config)).toBeNull();
    expect(explainStartFailure(failure('no such table', { code: '42P01' }), config)).toBeNull();
  });
});
