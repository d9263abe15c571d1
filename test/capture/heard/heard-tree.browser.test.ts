import { describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import { decodeHeard, type HeardNode } from '../../../src/elements/heard/heard-tree.ts';
import { never, requestOf } from '../requests.ts';
import { siteAndBrowser } from '../site-and-browser.ts';
import { html } from '../site.ts';

const { site, browser } = siteAndBrowser();

/** `button “Search” checked=true`, a line for each part, indented as the parts are nested. */
function lines({ role, name, states, children, isLeftOut }: HeardNode, depth = 0): string[] {
  const said = Object.entries(states).map(([state, value]) => ` ${state}=${value}`);
  const line = `${'  '.repeat(depth)}${role}${name === '' ? '' : ` “${name}”`}${said.join('')}${isLeftOut ? ' left out' : ''}`;
  return [line, ...children.flatMap((child) => lines(child, depth + 1))];
}

let pages = 0;
function pageOf(body: string): string {
  pages += 1;
  return site.page(`/${pages}`, html(body));
}

/** What is told of a page with this content, without the page itself. */
async function heardOf(body: string, changes: Partial<CaptureRequest> = {}): Promise<string[]> {
  const { heard } = await browser.capture(requestOf(pageOf(body), { heard: 'differs', ...changes }), never);
  if (heard === null) throw new Error('nothing was read');
  return lines(heard)
    .slice(1)
    .map((line) => line.slice(2));
}

describe('what assistive technology is told', () => {
  it('is what each part is, what it is called, and its state', async () => {
    expect(
      await heardOf(`
        <nav aria-label="Main"><a href="/x">Home</a></nav>
        <h2>A <i>title</i></h2>
        <button aria-expanded="false" aria-describedby="why" disabled>Save</button><p id="why">Nothing changed</p>
        <label>Agreed <input type="checkbox" checked></label>
        <input aria-label="Mail" value="a@b.c" aria-invalid="true" required>
        <ol><li>One</li></ol>`),
    ).toEqual([
      'navigation “Main”',
      '  link “Home” focusable=true',
      'heading “A title” level=2',
      'button “Save” description=Nothing changed disabled=true expanded=false',
      'paragraph',
      '  text “Nothing changed”',
      'checkbox “Agreed” checked=true focusable=true',
      'textbox “Mail” focusable=true invalid=true required=true value=a@b.c',
      'list',
      '  listitem level=1',
      '    text “One”',
    ]);
  });

  it('is in which language it is, what is current, and how it is sorted', async () => {
    expect(
      await heardOf(`
        <p>Say <span lang="fr">Bonjour</span><i lang="de" aria-hidden="true">Hallo</i><b lang="it" hidden>Ciao</b></p>
        <section lang="es"><p lang="es">Hola</p></section>
        <a href="/x" aria-current="page">Home</a> <a href="/y" aria-current="false">News</a>
        <table><tr><th aria-sort="ascending">Name</th><th aria-sort="none">Size</th></tr><tr><td>a</td><td>1</td></tr></table>`),
    ).toEqual([
      'paragraph',
      '  text “Say”',
      '  generic language=fr',
      '    text “Bonjour”',
      'generic language=es',
      '  paragraph',
      '    text “Hola”',
      'link “Home” current=page focusable=true',
      'link “News” focusable=true',
      'table',
      '  row',
      '    columnheader “Name” sort=ascending',
      '      text “Name”',
      '    columnheader “Size”',
      '      text “Size”',
      '  row',
      '    cell “a”',
      '      text “a”',
      '    cell “1”',
      '      text “1”',
    ]);
    const page = site.page('/french', '<!doctype html><html lang="fr"><title>x</title><p lang="fr">Bonjour</p></html>');
    const { heard } = await browser.capture(requestOf(page, { heard: 'always' }), never);
    expect(heard && lines(heard)).toEqual(['RootWebArea “x” language=fr', '  paragraph', '    text “Bonjour”']);
  });

  it('is that a field has an error message, whatever the id of that is', async () => {
    const field = (id: string) =>
      `<input aria-label="Mail" aria-invalid="true" aria-errormessage="${id}"><p id=":r1:">No</p>`;
    const [named, unnamed] = [await heardOf(field(':r1:')), await heardOf(field('gone'))];
    expect([named[0], unnamed[0]]).toEqual([
      'textbox “Mail” errormessage=true focusable=true invalid=true',
      'textbox “Mail” focusable=true invalid=true',
    ]);
    expect(await heardOf(field(':r1:').replaceAll(':r1:', ':r2:'))).toEqual(named);
  });

  it('is in frames of any origin and in shadow roots, open or closed', async () => {
    const other = site.page('/inner', html('<button>Inside</button>')).replace('127.0.0.1', 'localhost');
    expect(
      await heardOf(`
        <iframe title="Same" src="/inner"></iframe><iframe title="Other" src="${other}"></iframe>
        <div id="open"></div><div><template shadowrootmode="closed"><button>Closed</button></template></div>
        <script>
          document.querySelector('#open').attachShadow({ mode: 'open' }).innerHTML = '<button>Open</button>';
        </script>`),
    ).toEqual([
      'Iframe “Same”',
      '  RootWebArea “A page”',
      '    button “Inside” focusable=true',
      'Iframe “Other”',
      '  RootWebArea “A page”',
      '    button “Inside” focusable=true',
      'button “Open” focusable=true',
      'button “Closed” focusable=true',
    ]);
  });

  it('is not what is hidden, and rules mark or take away the rest', async () => {
    const { rules } = requestOf('');
    expect(
      await heardOf(
        `<button hidden>A</button><button style="visibility: hidden">B</button><button aria-hidden="true">C</button>
         <button style="position: absolute; left: -9999px">D</button>
         <div class="m"><button>E</button></div><p class="i">F</p><p class="h">G</p><p class="r">H</p>`,
        {
          rules: {
            ...rules,
            mask: ['.m'],
            ignore: ['.i'],
            hide: ['.h'],
            remove: ['.r'],
          },
        },
      ),
    ).toEqual(['button “D” focusable=true', 'generic left out', 'paragraph left out']);
  });
});

describe('a capture', () => {
  const believed = async (url: string, changes: Partial<CaptureRequest>) =>
    browser.captureBelieved(requestOf(url, changes), never);

  it('reads nothing of an unchanged page, unless every page is asked for', async () => {
    const url = pageOf('<button>Go</button>');
    const { sha256, heard } = await believed(url, { heard: 'differs' });
    expect(heard).not.toBeNull();
    const baseline = { sha256, atRest: true };
    expect((await believed(url, { heard: 'differs', baseline })).heard).toBeNull();
    expect((await believed(url, { heard: 'always', baseline })).heard).toEqual(heard);
    expect((await believed(url, { baseline })).heard).toBeNull();
  });

  it('loads a page again that looks the same and is told otherwise', async () => {
    let loads = 0;
    const url = site.page('/varies', (_request, response) => {
      loads += 1;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html(`<button aria-label="Load ${loads}">×</button>`));
    });
    const first = await believed(url, { heard: 'always' });
    const baseline = {
      sha256: first.sha256,
      atRest: true,
      heard: 'ab'.repeat(32),
    };
    const { heard } = await believed(url, { heard: 'always', baseline });
    const names = (await decodeHeard(heard ?? Buffer.alloc(0))).loads.map((tree) => lines(tree)[1]);
    expect(names).toHaveLength(2);
    expect(names[0]).not.toBe(names[1]);
  });
});
