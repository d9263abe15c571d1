import { describe, expect, it } from '@jest/globals';
import { comparison, heading, HOSTILE_PATH, layers, type Scene } from './scene.ts';

/** Getting through a run without a mouse. */
export function reviewByKeys(scene: Scene): void {
  describe('the review by keys', () => {
    it('goes from result to result by keys, with the list in step', async () => {
      const { page, complaints, leave } = await scene.open('/wide');
      const list = page.getByRole('navigation', { name: 'Results of this run' });
      expect(await page.getByText('1 of 5').count()).toBe(1);
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: '/tall' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(scene.addressOf('/tall'));
      expect(await page.title()).toContain('/tall at desktop');
      expect(await list.locator('[aria-current]').textContent()).toContain('/tall');
      for (const path of [HOSTILE_PATH, '/new', '/broken']) {
        await page.keyboard.press('j');
        await page.getByRole('heading', { level: 1, name: path, exact: true }).waitFor();
      }
      await page.keyboard.press('k');
      await page.getByRole('heading', { level: 1, name: '/new' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: '/broken' }).waitFor();
      expect(complaints).toEqual([]);
      await leave();
    });

    it('changes the mode by keys, keeps it in the address, and takes it along', async () => {
      const { page, complaints, leave } = await scene.open('/wide');
      expect(await layers(page)).toEqual(['baseline', 'current']);
      for (const [key, mode] of Object.entries({ w: 'swipe', o: 'onion', d: 'overlay', b: 'blink', s: 'side' })) {
        await page.keyboard.press(key);
        expect(new URL(page.url()).searchParams.get('mode')).toBe(mode);
        expect(await comparison(page).getAttribute('data-mode')).toBe(mode);
      }
      await page.keyboard.press('d');
      expect(await layers(page)).toEqual(['current', 'difference']);
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: '/tall' }).waitFor();
      expect(await comparison(page).getAttribute('data-mode')).toBe('overlay');
      expect(complaints).toEqual([]);
      await leave();
    });

    it('goes on after a text box was made larger, without a style that the content security policy blocks', async () => {
      const { page, complaints, leave } = await scene.open('/wide');
      await page.locator('#review-request').evaluate((box) => Object.assign(box.style, { height: '200px' }));
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: '/tall' }).waitFor();
      expect(complaints).toEqual([]);
      await leave();
    });

    it('shows one of the two while an arrow is held', async () => {
      const { page, leave } = await scene.open('/wide');
      await page.keyboard.down('ArrowLeft');
      expect(await layers(page)).toEqual(['baseline', 'baseline']);
      await page.keyboard.up('ArrowLeft');
      await page.keyboard.down('ArrowRight');
      expect(await layers(page)).toEqual(['current', 'current']);
      await page.keyboard.up('ArrowRight');
      expect(await layers(page)).toEqual(['baseline', 'current']);
      await leave();
    });

    it('has no shortcuts of one key for whoever has switched them off, but keeps the arrows', async () => {
      const users = scene.api.ctx.db('users').where({ id: scene.owner.user.id });
      await users.clone().update({ preferences: JSON.stringify({ singleKeys: 'off' }) });
      const { page, complaints, leave } = await scene.open('/wide');
      for (const key of ['d', 'j', '?', 'a']) await page.keyboard.press(key);
      expect([await comparison(page).getAttribute('data-mode'), await heading(page)]).toEqual(['side', '/wide']);
      expect(await page.getByRole('link', { name: 'Next', exact: true }).getAttribute('title')).toBe('Next');
      await page.keyboard.down('ArrowLeft');
      expect(await layers(page)).toEqual(['baseline', 'baseline']);
      await page.keyboard.up('ArrowLeft');
      await page.getByLabel('More', { exact: true }).click();
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      expect(await page.getByRole('dialog').getByRole('link', { name: 'Turn them on' }).isVisible()).toBe(true);
      expect(complaints).toEqual([]);
      await users.update({ preferences: '{}' });
      await leave();
    });

    it('opens the help and panels by keys, and has none while somebody types', async () => {
      const { page, leave } = await scene.open('/wide');
      await page.keyboard.press('?');
      expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible()).toBe(true);
      await page.keyboard.press('j');
      await page.keyboard.press('Escape');
      expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).isVisible()).toBe(false);
      expect(await heading(page)).toBe('/wide');
      await page.keyboard.press('t');
      await page.getByLabel('New comment').click();
      await page.keyboard.type('jsa');
      expect(await page.getByLabel('New comment').inputValue()).toBe('jsa');
      expect(await heading(page)).toBe('/wide');
      await page.getByLabel('New comment').fill('');
      await page.getByLabel('New comment').blur();
      await page.keyboard.press('Escape');
      await page.getByLabel('New comment').waitFor({ state: 'detached' });
      await page.keyboard.press('e');
      await page.getByRole('heading', { name: 'Notes' }).waitFor();
      await leave();
    });

    it('asks before a comment is lost that was not sent', async () => {
      const { page, complaints, leave } = await scene.open('/wide');
      await page.keyboard.press('t');
      await page.getByLabel('New comment').fill('Is this right?');
      await page.getByLabel('New comment').blur();
      await page.keyboard.press('j');
      expect(complaints).toEqual(['A confirm opened: Leave this screenshot? What you typed was not sent.']);
      expect(await page.getByLabel('New comment').inputValue()).toBe('Is this right?');
      expect(await heading(page)).toBe('/wide');
      page.removeAllListeners('dialog');
      page.on('dialog', (dialog) => void dialog.accept());
      await page.keyboard.press('Escape');
      await page.getByLabel('New comment').waitFor({ state: 'detached' });
      await leave();
    });

    it('asks before the page is left with a comment that was not sent, and not when it is sent', async () => {
      const { page, complaints, leave } = await scene.open('/wide', { of: await scene.newRun() });
      await page.keyboard.press('t');
      await page.getByLabel('New comment').fill('Is this right?');
      const question = page.waitForEvent('dialog');
      await page.getByRole('link', { name: 'Suites' }).first().click({ noWaitAfter: true });
      await question;
      expect(await page.getByLabel('New comment').inputValue()).toBe('Is this right?');
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      await page.locator('.comment-body', { hasText: 'Is this right?' }).waitFor();
      expect(complaints).toEqual(['A beforeunload opened: ']);
      await leave();
    });

    it('approves by keys and moves on to the next, in the mode that was chosen', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      await page.keyboard.press('o');
      for (const path of ['/tall', HOSTILE_PATH, '/new']) {
        await page.keyboard.press('a');
        await page.waitForURL((url) => url.pathname === scene.addressOf(path, '', of));
        expect(await heading(page)).toBe(path);
      }
      expect(new URL(page.url()).searchParams.get('mode')).toBe('onion');
      await page.keyboard.press('a');
      await page.waitForURL((url) => url.pathname === `/runs/${of.id}`);
      await page.goto(scene.addressOf('/wide', '?panel=notes', of));
      expect(await page.locator('.review-approval').textContent()).toContain('Approved by owner');
      expect(complaints).toEqual([]);
      await leave();
    });

    it('takes what is typed after the key for a request as its reason, of which no letter approves', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      await page.keyboard.press('c');
      await page.keyboard.type('a pale bar');
      expect(await page.getByLabel('What has to change').inputValue()).toBe('a pale bar');
      await page.getByRole('button', { name: 'Request changes', exact: true }).click();
      await page.getByText('Requested changes to 1 screenshot.').waitFor();
      const approved = await scene.api.ctx.db('page_results').where({ test_run_id: of.id, approved: true });
      expect([approved, complaints]).toEqual([[], []]);
      await leave();
    });

    it('approves nothing by a letter while a menu is open that somebody opened with the mouse', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      const posts: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') posts.push(request.url());
      });
      await page.getByText('Request changes…').click();
      await page.keyboard.type('a pale bar');
      await page.getByLabel('Only /wide at desktop').click();
      await page.keyboard.type('a pale bar');
      expect(await page.getByLabel('What has to change').isVisible()).toBe(true);
      await page.getByLabel('Other ways to approve').click();
      await page.keyboard.type('a');
      expect(await page.getByRole('button', { name: 'Approve with note' }).isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('o');
      expect(await comparison(page).getAttribute('data-mode')).toBe('onion');
      expect([posts, complaints]).toEqual([[], []]);
      await leave();
    });

    it('types into a menu although the browser has not told yet that it is open', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      await page.evaluate(() => {
        addEventListener('toggle', (event) => event.stopImmediatePropagation(), true);
      });
      await page.getByText('Request changes…').click();
      await page.keyboard.type('a pale bar');
      expect(await page.getByLabel('What has to change').inputValue()).toBe('a pale bar');
      const approved = await scene.api.ctx.db('page_results').where({ test_run_id: of.id, approved: true });
      expect([approved, complaints]).toEqual([[], []]);
      await leave();
    });

    it('undoes by a key what was just done, and leads back there', async () => {
      const of = await scene.newRun();
      const { page, complaints, leave } = await scene.open('/wide', { of });
      await page.keyboard.press('a');
      await page.waitForURL((url) => url.pathname === scene.addressOf('/tall', '', of));
      await page.getByText('Approved 1 screenshot. The baseline is now version 2.').waitFor();
      await page.keyboard.press('z');
      await page.waitForURL((url) => url.pathname === scene.addressOf('/wide', '', of));
      await page.getByText('Undid 1 approval. Restored 1 baseline.').waitFor();
      const approved = await scene.api.ctx.db('page_results').where({ test_run_id: of.id, approved: true });
      expect([approved, complaints]).toEqual([[], []]);
      await leave();
    });
  });
}
