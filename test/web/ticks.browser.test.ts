import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { openVisitorsBrowser, visit } from '../support/visitor.ts';
import type { OwnSuite } from '../support/world.ts';
import { changed, runOf, siteOf } from './runs-fixture.ts';

let api: TestApi;
let browser: Browser;
let owner: Account;
let suite: OwnSuite;
beforeAll(async () => {
  [api, browser] = await Promise.all([startTestApi(), openVisitorsBrowser()]);
  owner = await api.account('owner');
  suite = await siteOf(api, owner.user, ['/a', '/b', '/c', '/d']);
});
afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** What is ticked after somebody ticked one box, looked elsewhere, and came back when another row was gone. */
async function tickAndComeBack(path: string, box: string, removeRow: () => Promise<unknown>) {
  const { page, leave } = await visit(browser, api.url, { token: owner.token });
  // Its cookies change afterwards, as after a notice, so that the browser asks for the page anew.
  await page.goto(path);
  await page.getByLabel(box, { exact: true }).check();
  const { length: rows } = await page.getByRole('checkbox').all();
  await page.goto('/suites');
  await removeRow();
  await page.goBack();
  await page.waitForLoadState('load');
  const ticked = await page
    .locator('input:checked')
    .evaluateAll((boxes) => boxes.map((each) => each.getAttribute('aria-label')));
  const isShorter = (await page.getByRole('checkbox').count()) < rows;
  await leave();
  return { ticked, isShorter };
}

it('no other result is ticked when people come back to a run in which one was approved', async () => {
  const { id } = await runOf(api, suite, { results: { '/a': changed, '/b': changed, '/c': changed } });
  const approve = async () =>
    api.ctx
      .db('page_results')
      .where({ test_run_id: id, path: '/a' })
      .update({ approved: true, approved_at: new Date(), approved_by: owner.user.id });
  const found = await tickAndComeBack(`/runs/${id}`, 'Select /b at mobile', approve);
  expect(found).toEqual({ ticked: [], isShorter: true });
});

it('no other page is ticked when people come back to a suite of which one was deleted', async () => {
  const remove = async () => api.ctx.db('site_pages').where({ test_suite_id: suite.id, path: '/a' }).delete();
  const found = await tickAndComeBack(`/suites/${suite.id}`, '/b', remove);
  expect(found).toEqual({ ticked: [], isShorter: true });
});
