/** The same condition as `isRunnable`, in SQL for the table `site_pages`. */
export const RUNNABLE_PAGE_SQL = "(site_pages.tracked and site_pages.status <> 'REMOVED')";
