import type { Route } from '../web-route.ts';
import { postApprove, postRequestChanges, postUndo } from './decisions/decide.ts';
import { postAssignees } from './decisions/assignees.ts';
import { postCancel, postRerun, postServers, postCount, postPromote } from './decisions/run-forms.ts';
import { getChange, getReview } from './begin-review.ts';
import { getLive } from './live.ts';
import { getLog } from './log.ts';
import { postComment, postDeleteComment, postEditComment } from './decisions/comments.ts';
import { getNews } from './news.ts';
import { postSettingsChange } from './decisions/settings.ts';
import { getResults, getRun } from './show-run.ts';
import { postIgnoreArea, postIgnoreChange } from './decisions/ignore.ts';
import { getSummary } from './summary.ts';
import { getResult } from './show-result.ts';

export const RUN_ROUTES: readonly Route[] = [
  getRun,
  getLive,
  getResults,
  getLog,
  getSummary,
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
  getResult,
  postPromote,
  postCount,
  postIgnoreChange,
  postIgnoreArea,
];
