import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const CLI = path.resolve('dist/cli.js');

type Ended = { code: number; stdout: string; stderr: string };

/** The tool as a process of its own. */
async function pixelgate(args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, ...args], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error ?? new Error('no exit code'));
    });
  });
}

/** One sentence or two, and no stack. */
function expectSentence(stderr: string): void {
  expect(stderr).not.toMatch(/^\s+at |node:internal|Error:/m);
  expect(stderr.trim().split('\n')).toHaveLength(1);
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let answer: Answer;
let env: NodeJS.ProcessEnv;
let dir: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    // An upload is read to its end, as a proxy does.
    request.resume().on('end', () => {
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  env = {
    PIXELGATE_URL: `http://127.0.0.1:${address.port}`,
    PIXELGATE_SUITE: 'suite',
    PIXELGATE_TOKEN: 'pgs_token',
  };
  dir = await mkdtemp(path.join(tmpdir(), 'pixelgate-cli-'));
  await mkdir(path.join(dir, 'site'));
  await writeFile(path.join(dir, 'site', 'index.html'), '<h1>Hello</h1>');
});

afterAll(async () => {
  await promisify(server.close.bind(server))();
});

const text =
  (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);

const json = (body: string, status = 200) => text(status, 'application/json', body);

const RUN = { id: 'r', testSuiteId: 's', status: 'COMPLETED', reviewState: 'NOT_REQUIRED', metadata: null };

const FOREIGN: [name: string, answer: Answer][] = [
  ['a page of HTML', text(200, 'text/html', '<!doctype html><title>Sign in</title>')],
  ['HTML that says it is JSON', json('<html></html>')],
  ['nothing', json('')],
  ['no content', (_, response) => response.writeHead(204).end()],
  ['JSON that breaks off', json('{"id":"r","testSuiteId":')],
  ['JSON of another product', json('{"status":"ok","version":3}')],
  ['a list', json('[]')],
  ['null', json('null')],
  ['a number', json('1')],
  ['a status that there is not', json(JSON.stringify({ ...RUN, status: 'DONE' }))],
  ['a wrong type', json(JSON.stringify({ ...RUN, id: 7, testRunId: {}, testRuns: {} }))],
  ['what looks zipped and is not', text(200, 'application/json', 'no gzip', { 'content-encoding': 'gzip' })],
  [
    'what is zipped and breaks off',
    text(200, 'application/json', gzipSync(JSON.stringify(RUN)).subarray(0, 20), { 'content-encoding': 'gzip' }),
  ],
  ['a redirect to a login page', text(302, 'text/html', '', { location: 'https://login.example.org/?next=/' })],
  ['a redirect to itself', (request, response) => response.writeHead(307, { location: request.url ?? '/' }).end()],
  ['a redirect to nowhere', text(301, 'text/html', '')],
  ['a bad gateway of a proxy', text(502, 'text/html', '<h1>502 Bad Gateway</h1>')],
  ['an error that breaks off', json('{"error":', 500)],
  ['a refusal in HTML', text(403, 'text/html', '<h1>Forbidden</h1>')],
  ['a missing page in HTML', text(404, 'text/html', '<h1>Not found</h1>')],
  ['a missing page of another API', json('{"message":"no such route"}', 404)],
  [
    'a connection that is reset within the answer',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"id":"r",', () => response.socket?.resetAndDestroy());
    },
  ],
  ['a connection that is reset before it', (_, response) => void response.socket?.resetAndDestroy()],
  ['no HTTP', (_, response) => void response.socket?.end('220 mail.example.org ESMTP\r\n')],
];

const COMMANDS = [['status', 'r'], ['wait', 'r'], ['open', 'r'], ['run'], ['upload', 'site']];

describe.each(FOREIGN)('a server that answers with %s', (_, given) => {
  it('is not Pixelgate, or was not reached', async () => {
    answer = given;
    const ended = COMMANDS.map(async (command) => {
      const args = command.map((word) => (word === 'site' ? path.join(dir, 'site') : word));
      return { command, ...(await pixelgate(args, env)) };
    });
    for (const { command, code, stdout, stderr } of await Promise.all(ended)) {
      expect({ command, code, stdout }).toEqual({ command, code: 4, stdout: '' });
      expectSentence(stderr);
      expect(stderr).toContain(env['PIXELGATE_URL']);
    }
  });

  it('is so as well for a workflow that signs in', async () => {
    answer = given;
    const { PIXELGATE_URL } = env;
    const job = { ACTIONS_ID_TOKEN_REQUEST_URL: `${PIXELGATE_URL}/token?v=1`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job' };
    const { code, stderr } = await pixelgate(['run'], { PIXELGATE_URL, ...job });
    expect(code).toBe(4);
    expectSentence(stderr);
  });
});

describe('a directory', () => {
  const uploaded = json('{"id":"b","files":1,"bytes":1}');

  async function uploadOf(make: (root: string) => Promise<unknown>): Promise<Ended> {
    answer = uploaded;
    const root = await mkdtemp(path.join(dir, 'made-'));
    await make(root);
    return pixelgate(['upload', root], env);
  }

  const FAULTS: [name: string, words: RegExp, make: (root: string) => Promise<unknown>][] = [
    ['with a link to nothing', /is a link to a file that is not there/, async (root) => symlink('gone', `${root}/a`)],
    ['with a link to itself', /is a link that leads to itself/, async (root) => symlink('a', `${root}/a`)],
    [
      'with two links to each other',
      /is a link that leads to itself/,
      async (root) => Promise.all([symlink('a', `${root}/b`), symlink('b', `${root}/a`)]),
    ],
    [
      'with a link to itself as a directory',
      /is a link to a directory that it is in/,
      async (root) => symlink('.', `${root}/a`),
    ],
    [
      'with a link to a directory above',
      /is a link to a directory that it is in/,
      async (root) => {
        await mkdir(`${root}/docs`);
        await symlink('..', `${root}/docs/all`);
      },
    ],
    [
      'with a socket',
      /is neither a file nor a directory/,
      async (root) => {
        const listener = createServer();
        await new Promise<void>((resolve) => {
          listener.listen(`${root}/s`, resolve);
        });
        listener.unref();
      },
    ],
  ];

  it.each(FAULTS)('%s is not uploaded, and the file is named', async (_, words, make) => {
    const { code, stdout, stderr } = await uploadOf(make);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
    expectSentence(stderr);
  });

  it('with a file that may not be read is not uploaded', async () => {
    const { code, stderr } = await uploadOf(async (root) => {
      await writeFile(`${root}/secret`, 'x');
      await chmod(`${root}/secret`, 0);
    });
    // Root reads any file.
    const isRoot = process.getuid?.() === 0;
    expect(code).toBe(isRoot ? 0 : 2);
    expect(stderr).toMatch(isRoot ? /^Uploaded/ : /secret may not be read/);
  });

  it('that is a file, is missing or has no files is wrong use', async () => {
    answer = uploaded;
    await mkdir(path.join(dir, 'empty', 'deep'), { recursive: true });
    for (const name of ['site/index.html', 'missing', 'empty']) {
      const { code, stderr } = await pixelgate(['upload', path.join(dir, name)], env);
      expect(code).toBe(3);
      expect(stderr).toMatch(/is not a directory|has no files/);
      expectSentence(stderr);
    }
  });

  it('is uploaded with links to files beside it, strange names and many levels', async () => {
    const { code, stdout } = await uploadOf(async (root) => {
      await symlink(path.join(dir, 'site'), `${root}/docs`);
      await symlink(path.join(dir, 'site'), `${root}/same`);
      await writeFile(`${root}/@archive.tgz`, 'no archive');
      await writeFile(`${root}/-rf`, 'x');
      await mkdir(path.join(root, ...Array.from({ length: 300 }, () => 'deep')), { recursive: true });
      await writeFile(path.join(root, ...Array.from({ length: 300 }, () => 'deep'), 'leaf'), 'x');
    });
    expect([code, stdout]).toEqual([0, 'b\n']);
  });
});
