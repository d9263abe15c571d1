import { cut } from '../text/format.ts';
import type { TreeNode } from './element-tree.ts';
import type { ChangeKind } from './page-change.ts';
import type { Region } from './region.ts';

/** Something that changed about an element, before it is known which differences it explains. */
export type ElementChange = {
  kind: ChangeKind;
  element: string;
  summary: string;
  before: string | null;
  after: string | null;
  /** Together with the kind, what makes two changes equal: what they are about, and what happened to it. */
  about: string;
  what: string;
  /** An element of the current map, or of the baseline's if it was removed. */
  nodes: TreeNode[];
  /** Where it is drawn in each image. */
  baseline: Region[];
  current: Region[];
  /** Whether it can change the boxes of other elements. */
  moves: boolean;
  /** What it can make look different, wherever that is now: all in the boxes of its elements, or only they themselves. */
  alters: 'all' | 'itself' | 'nothing';
};

const MAX_EXCERPT = 60;
const MAX_TEXT = 400;

export const cutText = (text: string): string => cut(text, MAX_TEXT);

/** Whether the text has the second half of a character there. */
const isSplit = (text: string, at: number) => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/**
 * The part of both texts in which they differ, with some words around it, at most `most` characters of each. Some scripts
 * have no spaces between words.
 */
export function excerpt(before: string, after: string, most = MAX_EXCERPT): [string, string] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  const word = before.lastIndexOf(' ', start - 12) + 1;
  const nearest = start < most / 2 ? 0 : Math.max(word, start - most / 2);
  const from = isSplit(before, nearest) ? nearest + 1 : nearest;
  const shorten = (text: string) => `${from > 0 ? '…' : ''}${cut(text.slice(from), most)}`;
  return [shorten(before), shorten(after)];
}

/** Both texts, cut so that the part in which they first differ remains. */
export function cutTexts(before: string, after: string, most = MAX_TEXT): [string, string] {
  const isWhole = Math.max(before.length, after.length) <= most || before === after;
  return isWhole ? [cut(before, most), cut(after, most)] : excerpt(before, after, most);
}

export const quote = (text: string): string => `“${text}”`;
