/** `isRunnable`, asked of the table `site_pages`. */
export const RUNNABLE_PAGE_SQL = "(site_pages.tracked and site_pages.status <> 'REMOVED')";
