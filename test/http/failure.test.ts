import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AppError, conflict, forbidden, invalid, notFound, unauthenticated, unprocessable } from '../../src/errors.ts';
import { toFailure } from '../../src/http/failure.ts';

describe('what a client is told of a failure', () => {
  it.each([
    [invalid('bad'), 400, 'validation_failed'],
    [unauthenticated(), 401, 'unauthenticated'],
    [forbidden('no'), 403, 'forbidden'],
    [notFound('It'), 404, 'not_found'],
    [conflict('taken', 'email_taken'), 409, 'email_taken'],
    [unprocessable('no', 'target_not_allowed'), 422, 'target_not_allowed'],
  ])('%s has its status and its code', (error, status, code) => {
    expect(toFailure(error)).toMatchObject({ status, body: { error: error.message, details: { code } } });
  });

  it('names each field that fails validation', () => {
    const schema = z.object({ config: z.object({ maxPages: z.number() }), name: z.string() });
    const { error } = schema.safeParse({ config: { maxPages: 'x' } });
    const { status, body } = toFailure(error);
    expect(status).toBe(400);
    expect(body.details).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'config.maxPages' }, { path: 'name' }],
    });
  });

  it('says nothing of a fault of ours', () => {
    const error = new Error('insert into users (email) values ($1) - /var/lib/secret');
    expect(toFailure(error)).toEqual({
      status: 500,
      body: { error: 'Something went wrong', details: { code: 'internal' } },
      retryAfter: null,
    });
  });

  it.each(['a text', null, undefined, 42, { status: 400 }])(
    'takes %p that was thrown for a fault of ours',
    (thrown) => {
      expect(toFailure(thrown).status).toBe(500);
    },
  );

  it('asks to come again when the database is away, without naming it', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    const { status, body, retryAfter } = toFailure(away);
    expect({ status, code: body.details.code }).toEqual({ status: 503, code: 'unavailable' });
    expect(retryAfter).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it('hands on how long a limited caller has to wait', () => {
    const limited = new AppError('rate_limited', 'Too many', { code: 'rate_limited', retryAfter: 17 });
    expect(toFailure(limited)).toMatchObject({ status: 429, retryAfter: 17 });
  });
});
