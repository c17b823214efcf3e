/* SPDX-FileCopyrightText: the microtet authors
 * SPDX-License-Identifier: Apache-2.0 */
/*
 * zstd_upstream.mk includes this before the sources of the zstd package; it replaces their common/cpu.h. On x86-64 the
 * package's loops are compiled twice, once with the instructions of BMI2, which make reading a file 4 % faster; each
 * context chooses when it is initialised, so for each chunk. The package would ask the processor by cpuid each time,
 * which takes 8 microseconds in a virtual machine, and the library has no variable to keep the answer in. So the
 * program answers: it may define utet_zstd_bmi2, which the library defines as weak and 0. Results and refusals do not
 * depend on it.
 */
#ifndef UTET_ZSTD_BMI2_H
#define UTET_ZSTD_BMI2_H

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__BMI2__) && !defined(__OPTIMIZE_SIZE__)
#define DYNAMIC_BMI2 1

/* Nonzero: the processor has BMI1 and BMI2. */
int utet_zstd_bmi2(void);

#define ZSTD_COMMON_CPU_H
typedef int ZSTD_cpuid_t;
#define ZSTD_cpuid() utet_zstd_bmi2()
#define ZSTD_cpuid_bmi1(answer) (answer)
#define ZSTD_cpuid_bmi2(answer) (answer)
#else
#define DYNAMIC_BMI2 0
#endif

#endif
