# SPDX-License-Identifier: GPL-2.0-or-later
"""A live storm: jobs and faults on a throwaway cluster, and an oracle that looks at the machine itself."""
