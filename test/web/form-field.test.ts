import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { conflict, invalid, notFound } from '../../src/errors.ts';
import { buildField, toProblem } from '../../src/web/form-field.ts';

const sent = { name: 'Ada', email: 'not an address', password: 'correct horse', box: 'on', list: ['a', 'b'] };

describe('the problem with a form', () => {
  it('names each field once, and keeps what was typed, but no password', () => {
    const issues = [
      { path: 'email', message: 'must be an email address' },
      { path: 'email', message: 'must be shorter' },
    ];
    expect(toProblem(invalid('No', issues), sent)).toMatchObject({
      status: 400,
      message: 'Some fields are not valid',
      fields: { email: 'Must be an email address' },
      typed: { name: 'Ada', email: 'not an address', box: 'on', list: 'b' },
    });
    expect(JSON.stringify(toProblem(invalid('No', issues), sent))).not.toContain('password');
  });

  it('says what stood in the way where no field is to blame', () => {
    expect(toProblem(conflict('The email address has an account', 'email_taken'), sent)).toMatchObject({
      status: 409,
      message: 'The email address has an account',
      fields: {},
    });
  });

  it('takes the issues of a schema', () => {
    const { error } = z.object({ config: z.object({ maxPages: z.number() }) }).safeParse({ config: {} });
    expect(Object.keys(toProblem(error, sent)?.fields ?? {})).toEqual(['config.maxPages']);
  });

  it('is none where something is missing or broken: the error page tells that', () => {
    expect(toProblem(notFound('The suite'), sent)).toBeNull();
    expect(toProblem(new Error('a bug'), sent)).toBeNull();
  });
});

describe('a field', () => {
  const problem = toProblem(invalid('No', [{ path: 'email', message: 'is wrong' }]), sent);

  it('stands as it was given on a fresh form', () => {
    expect(buildField({ name: 'n', label: 'N', value: 5 }, null)).toMatchObject({
      value: '5',
      error: null,
      id: 'field-n',
    });
    expect(buildField({ name: 'n', label: 'N', type: 'checkbox', checked: true }, null).checked).toBe(true);
  });

  it('keeps what was typed and says what is wrong with it', () => {
    expect(buildField({ name: 'email', label: 'E', value: 'before' }, problem)).toMatchObject({
      value: 'not an address',
      error: 'Is wrong',
    });
    expect(buildField({ name: 'box', label: 'B', type: 'checkbox' }, problem).checked).toBe(true);
    expect(buildField({ name: 'other', label: 'O', type: 'checkbox', checked: true }, problem).checked).toBe(false);
  });

  it('never prints a password', () => {
    expect(buildField({ name: 'p', label: 'P', type: 'password', value: 'x' }, null).value).toBe('');
  });

  it('selects the option of its value', () => {
    const options = [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ];
    const field = buildField({ name: 's', label: 'S', type: 'select', value: 'b', options }, null);
    expect(field.options.map(({ selected }) => selected)).toEqual([false, true]);
  });
});
