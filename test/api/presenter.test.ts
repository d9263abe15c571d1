import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { presenter } from '../../src/api/presenter.ts';
import { ROUTES } from '../../src/api/route-list.ts';
import { ImageUrl, IsoDate } from '../../src/api/suite-schemas.ts';

const config = { cdnBaseUrl: null, publicUrl: 'https://pixelgate.test' };

/** A value as a handler may return it, whose every object has a field that the schema does not name. */
function withMore(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return withMore(schema.unwrap());
  if (schema instanceof z.ZodArray) return [withMore(schema.element)];
  if (schema instanceof z.ZodRecord) return { key: withMore(schema.valueType) };
  if (schema instanceof z.ZodUnion) return { more: 'not named' };
  if (!(schema instanceof z.ZodObject)) return 'plain';
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => [name, withMore(field)]);
  return { ...Object.fromEntries(fields), more: 'not named' };
}

describe('presenting a response', () => {
  it.each(ROUTES.map((route) => [route.operationId, route.response] as const))(
    'sends nothing of %s that its schema does not name',
    (_name, response) => {
      expect(JSON.stringify(presenter<z.ZodType>(response)(withMore(response), config)) ?? '').not.toContain(
        'not named',
      );
    },
  );

  it('sends every field that the schema names, at any depth', () => {
    const Inner = z.object({ at: IsoDate, file: ImageUrl.nullable() });
    const show = presenter(
      z.object({ list: z.array(Inner), byName: z.record(z.string(), Inner), left: z.string().optional() }),
    );
    const at = new Date('2026-01-02T03:04:05Z');
    const one = { at, file: 'a.png', more: 1 };
    const shown = { at: '2026-01-02T03:04:05.000Z', file: 'https://pixelgate.test/files/a.png' };
    expect(show({ list: [one, { at, file: null }], byName: { x: one } }, config)).toEqual({
      list: [shown, { ...shown, file: null }],
      byName: { x: shown },
      left: undefined,
    });
  });

  it('sends a union as one of its options', () => {
    const show = presenter(z.object({ of: z.union([z.literal('off'), z.object({ a: z.int() })]) }));
    expect(show({ of: 'off' }, config)).toEqual({ of: 'off' });
    const more = { a: 1, more: 2 };
    expect(show({ of: more }, config)).toEqual({ of: { a: 1 } });
  });

  it('takes no schema of which it does not know the parts', () => {
    expect(() => presenter(z.object({ map: z.map(z.string(), z.string()) }))).toThrow('how to send a map');
  });
});
