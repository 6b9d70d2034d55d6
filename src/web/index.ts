export { escapeHtml, type Html, html, renderPage, safeHref } from './page-layout.ts';
export { type KeptReport, type PagesDeps, registerPages } from './register-pages.ts';
export { renderReportPage } from './report-page.ts';
