import { describe, expect, it } from '@jest/globals';
import { findBuildPath } from '../../../src/runs/builds/open-build.ts';

const FILES = ['index.html', 'about.html', 'docs/index.html', 'docs/größe.html', 'docs/404.html', 'app.js', '404.html'];
const has = (path: string) => FILES.includes(path);

describe('the address of a file in a build', () => {
  it.each([
    ['/', { path: 'index.html', status: 200 }],
    ['/about', { path: 'about.html', status: 200 }],
    ['/about/', { path: 'about.html', status: 200 }],
    ['/about.html', { path: 'about.html', status: 200 }],
    ['/docs/', { path: 'docs/index.html', status: 200 }],
    ['/docs', { redirect: '/docs/' }],
    ['/docs/gr%C3%B6%C3%9Fe', { path: 'docs/größe.html', status: 200 }],
    ['/app.js', { path: 'app.js', status: 200 }],
    ['/missing', { path: '404.html', status: 404 }],
    ['/docs/missing', { path: 'docs/404.html', status: 404 }],
    ['/docs/deep/missing', { path: 'docs/404.html', status: 404 }],
    ['/%zz', null],
  ])('%s is %j', (pathname, found) => {
    expect(findBuildPath(has, '/', pathname)).toEqual(found);
  });

  it('leaves out the path that the site is below, if the build does', () => {
    expect(findBuildPath(has, '/site/', '/site/about')).toEqual({ path: 'about.html', status: 200 });
    expect(findBuildPath(has, '/site/', '/site/')).toEqual({ path: 'index.html', status: 200 });
    expect(findBuildPath(has, '/site/', '/site')).toEqual({ redirect: '/site/' });
    expect(findBuildPath(has, '/gr%C3%B6%C3%9Fe/', '/gr%C3%B6%C3%9Fe/about')).toEqual({
      path: 'about.html',
      status: 200,
    });
    expect(findBuildPath(has, '/docs/', '/docs/gr%C3%B6%C3%9Fe')).toEqual({ path: 'docs/größe.html', status: 200 });
    expect(findBuildPath(() => false, '/', '/')).toBeNull();
  });
});
