import type { RequestHandler } from 'express';
import { CONFIG_FILE_SCHEMA } from '../suites/config-file/file-schema.ts';

/** The JSON Schema of the configuration file, for editors. It is no secret, and the same for everybody. */
export function configFileSchema(publicUrl: string): RequestHandler {
  const body = JSON.stringify({ $id: `${publicUrl}/schema.json`, ...CONFIG_FILE_SCHEMA }, null, 2);
  return (_req, res) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=3600' });
    res.type('application/schema+json').send(body);
  };
}
