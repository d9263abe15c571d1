import type { Route } from '../web-route.ts';
import { postApprove, postRequestChanges, postUndo } from './approve.ts';
import { postAssignees } from './assignees.ts';
import { postCancel, postRerun } from './control.ts';
import { getChange, getReview } from './begin-review.ts';
import { getLive } from './live.ts';
import { getLog } from './log.ts';
import { postComment, postDeleteComment, postEditComment } from './comment-forms.ts';
import { getNews } from './news.ts';
import { postSettingsChange } from './settings-form.ts';
import { getResults, getRun } from './run-page.ts';
import { postServers } from './servers-form.ts';

export const RUN_ROUTES: readonly Route[] = [
  getRun,
  getLive,
  getResults,
  getLog,
  postApprove,
  getReview,
  getChange,
  postUndo,
  postSettingsChange,
  postRequestChanges,
  getNews,
  postComment,
  postEditComment,
  postDeleteComment,
  postCancel,
  postRerun,
  postServers,
  postAssignees,
];
