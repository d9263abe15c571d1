import type { Route } from '../web-route.ts';
import { getChange, getReview } from './begin-review.ts';
import { postAssignees } from './decisions/assignees.ts';
import { postComment, postDeleteComment, postEditComment } from './decisions/comments.ts';
import { postApprove, postRequestChanges, postUndo } from './decisions/decide.ts';
import { postIgnoreArea, postIgnoreChange } from './decisions/ignore.ts';
import { postCancel, postCount, postPromote, postRerun, postServers } from './decisions/run-forms.ts';
import { postSettingsChange } from './decisions/settings.ts';
import { getLive } from './live.ts';
import { getLog } from './log.ts';
import { getNews } from './news.ts';
import { getResult } from './show-result.ts';
import { getResults, getRun } from './show-run.ts';
import { getSummary } from './summary.ts';

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
