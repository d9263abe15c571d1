import { afterAll, beforeAll } from '@jest/globals';
import nock from 'nock';

// Imported, it is active. It changes Node's own modules, for all files of the process.
nock.restore();

/** nock answers the requests of this file's tests. To be called before anything that may make one. */
export function stubHttp(): void {
  beforeAll(() => nock.activate());
  afterAll(() => {
    nock.restore();
    nock.cleanAll();
    nock.enableNetConnect();
  });
}

export { nock };
