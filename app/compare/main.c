/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright(c) 2026 The dpdk-rio authors */

#include <stdio.h>

#include "app_error.h"
#include "app_interrupt.h"
#include "app_output.h"
#include "compare_report.h"

enum { EXIT_ALL = 0, EXIT_NOTHING = 1, EXIT_PARTLY = 2, EXIT_INTERRUPTED = 130 };

static int
exit_code(const struct compare_results *results)
{
	bool any = false, all = true;

	for (unsigned int i = 0; i < results->options->paths; i++) {
		any = any || compare_has_figures(results, i);
		if (results->of[i].trouble[0] != '\0' || !compare_contents_right(results, i))
			all = false;
	}
	if (results->interrupted)
		return EXIT_INTERRUPTED;
	if (!any)
		return EXIT_NOTHING;
	return all ? EXIT_ALL : EXIT_PARTLY;
}

int
main(int argc, char **argv)
{
	static struct compare_options options;
	static struct compare_results results;
	int code;

	switch (compare_options_parse(argc, argv, &options)) {
	case COMPARE_HELPED:
		return app_output_stdout() < 0 ? EXIT_NOTHING : EXIT_ALL;
	case COMPARE_BAD:
		return EXIT_NOTHING;
	case COMPARE_RUN:
		break;
	}
	app_interrupt_catch();
	compare_run(&options, &results);
	compare_report_text(&results, stdout);
	code = exit_code(&results);
	if (compare_report_files(&results) < 0 && code == EXIT_ALL)
		code = EXIT_PARTLY;
	if (app_output_stdout() < 0 && code == EXIT_ALL)
		code = EXIT_PARTLY;
	compare_results_free(&results);
	return code;
}
